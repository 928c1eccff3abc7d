/** Objects of GitHub's REST API, whole: test/forge/github-rest.ts compares them with GitHub's own description. */
const site = 'https://github.example';
const api = `${site}/api/v3`;
const at = '2026-11-27T10:00:00Z';

/** Fields that hold addresses, by their names. */
function addresses(root: string, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `${root}/${name.replace(/_url$/, '')}`]));
}

const userAddresses = [
  'avatar_url',
  'events_url',
  'followers_url',
  'following_url',
  'gists_url',
  'organizations_url',
  'received_events_url',
  'repos_url',
  'starred_url',
  'subscriptions_url',
  'url',
];

export function userOf(login: string) {
  const root = `${api}/users/${encodeURIComponent(login)}`;
  return {
    ...addresses(root, userAddresses),
    login,
    id: login.length,
    node_id: `U_${login.length}`,
    gravatar_id: null,
    html_url: `${site}/${encodeURIComponent(login)}`,
    site_admin: false,
    type: login.endsWith('[bot]') ? 'Bot' : 'User',
  };
}

const repositoryAddresses = [
  'archive_url',
  'assignees_url',
  'blobs_url',
  'branches_url',
  'clone_url',
  'collaborators_url',
  'comments_url',
  'commits_url',
  'compare_url',
  'contents_url',
  'contributors_url',
  'deployments_url',
  'downloads_url',
  'events_url',
  'forks_url',
  'git_commits_url',
  'git_refs_url',
  'git_tags_url',
  'git_url',
  'hooks_url',
  'html_url',
  'issue_comment_url',
  'issue_events_url',
  'issues_url',
  'keys_url',
  'labels_url',
  'languages_url',
  'merges_url',
  'milestones_url',
  'notifications_url',
  'pulls_url',
  'releases_url',
  'ssh_url',
  'stargazers_url',
  'statuses_url',
  'subscribers_url',
  'subscription_url',
  'svn_url',
  'tags_url',
  'teams_url',
  'trees_url',
  'url',
];
const counts = ['forks', 'forks_count', 'open_issues', 'open_issues_count', 'size', 'stargazers_count'];
const features = [
  'has_downloads',
  'has_issues',
  'has_projects',
  'has_wiki',
  'has_pages',
  'archived',
  'disabled',
];

function repositoryOf(fullName: string, fork: boolean) {
  const [owner = '', name = ''] = fullName.split('/');
  return {
    ...addresses(
      `${api}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`,
      repositoryAddresses,
    ),
    ...Object.fromEntries([...counts, 'watchers', 'watchers_count'].map((count) => [count, 0])),
    ...Object.fromEntries(features.map((feature) => [feature, false])),
    id: 1,
    node_id: 'R_1',
    name,
    full_name: fullName,
    owner: userOf(owner),
    private: true,
    fork,
    description: null,
    homepage: null,
    language: null,
    mirror_url: null,
    license: null,
    default_branch: 'main',
    pushed_at: at,
    created_at: at,
    updated_at: at,
  };
}

export interface PullFacts {
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly draft: boolean;
  readonly state?: 'open' | 'closed';
  readonly base: string;
  readonly head: string;
  /** The name of the head's branch. Default: `topic`. */
  readonly branch?: string;
  /** The repository of the head. Default: that of the pull request. */
  readonly fork?: string | undefined;
}

const links = [
  'comments',
  'commits',
  'statuses',
  'html',
  'issue',
  'review_comments',
  'review_comment',
  'self',
];

export function pullRequestOf({
  number,
  base,
  head,
  branch = 'topic',
  fork,
  state = 'open',
  ...words
}: PullFacts) {
  const root = `${api}/repos/shop/till/pulls/${number}`;
  const own = repositoryOf('shop/till', false);
  return {
    ...addresses(root, [
      'comments_url',
      'commits_url',
      'diff_url',
      'issue_url',
      'patch_url',
      'review_comment_url',
    ]),
    ...addresses(root, ['review_comments_url', 'statuses_url']),
    number,
    state,
    ...words,
    id: number,
    node_id: `PR_${number}`,
    url: root,
    html_url: `${site}/shop/till/pull/${number}`,
    _links: Object.fromEntries(links.map((name) => [name, { href: `${root}/${name}` }])),
    base: { label: 'shop:main', ref: 'main', sha: base, repo: own, user: userOf('shop') },
    head: {
      label: `${fork?.split('/')[0] ?? 'shop'}:${branch}`,
      ref: branch,
      sha: head,
      repo: fork === undefined ? own : repositoryOf(fork, true),
      user: userOf('anna'),
    },
    user: userOf('anna'),
    author_association: 'MEMBER',
    assignee: null,
    labels: [],
    milestone: null,
    created_at: at,
    updated_at: at,
    closed_at: null,
    merged_at: null,
    merged: false,
    merged_by: null,
    locked: false,
    auto_merge: null,
    merge_commit_sha: null,
    mergeable: null,
    mergeable_state: 'unknown',
    additions: 1,
    deletions: 0,
    changed_files: 1,
    commits: 1,
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
  };
}

export interface CommentFacts {
  readonly id: number;
  readonly body: string;
  readonly author: string;
}

/** The address of a comment on the pull request 7. */
export function commentAddress(id: number): string {
  return `${site}/shop/till/pull/7#comment-${id}`;
}

/** A comment in the conversation. */
export function issueCommentOf({ id, body, author }: CommentFacts) {
  const root = `${api}/repos/shop/till/issues`;
  return {
    id,
    node_id: `IC_${id}`,
    body,
    user: userOf(author),
    created_at: at,
    updated_at: at,
    url: `${root}/comments/${id}`,
    issue_url: `${root}/7`,
    html_url: commentAddress(id),
    author_association: 'MEMBER',
    performed_via_github_app: null,
  };
}

export interface ReviewCommentFacts extends CommentFacts {
  readonly path: string;
  readonly commit: string;
}

/** A comment on a line or a file. */
export function reviewCommentOf({ id, body, author, path, commit }: ReviewCommentFacts) {
  const root = `${api}/repos/shop/till/pulls`;
  const [url, html, pull] = [`${root}/comments/${id}`, commentAddress(id), `${root}/7`];
  return {
    id,
    node_id: `PRRC_${id}`,
    body,
    user: userOf(author),
    created_at: at,
    updated_at: at,
    url,
    html_url: html,
    pull_request_url: pull,
    pull_request_review_id: null,
    path,
    diff_hunk: '@@ -0,0 +1 @@',
    commit_id: commit,
    original_commit_id: commit,
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    author_association: 'MEMBER',
  };
}

export function reviewOf(id: number, { body, commit }: { readonly body: string; readonly commit: string }) {
  const [html, pull] = [`${site}/shop/till/pull/7#review-${id}`, `${api}/repos/shop/till/pulls/7`];
  return {
    id,
    node_id: `PRR_${id}`,
    user: userOf('collab-bot'),
    body,
    state: 'COMMENTED',
    commit_id: commit,
    html_url: html,
    pull_request_url: pull,
    author_association: 'MEMBER',
    submitted_at: at,
    _links: { html: { href: html }, pull_request: { href: pull } },
  };
}

export interface CheckRunFacts {
  readonly id: number;
  readonly name: string;
  readonly head_sha: string;
  readonly external_id: string;
  readonly status?: string | undefined;
  readonly conclusion: string;
  readonly details_url?: string | undefined;
  readonly output: { readonly title: string; readonly summary: string };
}

export function checkRunOf({ id, output, details_url: details, ...facts }: CheckRunFacts) {
  const url = `${api}/repos/shop/till/check-runs/${id}`;
  return {
    ...facts,
    id,
    node_id: `CR_${id}`,
    url,
    html_url: `${site}/shop/till/runs/${id}`,
    details_url: details ?? null,
    output: { ...output, text: null, annotations_count: 0, annotations_url: `${url}/annotations` },
    started_at: at,
    completed_at: at,
    check_suite: null,
    app: null,
    pull_requests: [],
  };
}

export interface StatusFacts {
  readonly state: string;
  readonly description: string;
  readonly context: string;
  readonly target_url?: string | undefined;
}

export function statusOf(id: number, { target_url: target, ...facts }: StatusFacts) {
  return {
    ...facts,
    id,
    node_id: `SC_${id}`,
    url: `${api}/repos/shop/till/statuses/${id}`,
    avatar_url: null,
    target_url: target ?? null,
    created_at: at,
    updated_at: at,
    creator: null,
  };
}

export interface CommitFacts {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

export function commitOf({ sha, tree, parents, message }: CommitFacts) {
  const person = { name: 'Anna', email: 'anna@example.com', date: at };
  const root = `${api}/repos/shop/till/git`;
  const addressed = (one: string) => ({
    sha: one,
    url: `${root}/commits/${one}`,
    html_url: `${site}/${one}`,
  });
  return {
    ...addressed(sha),
    node_id: `C_${sha}`,
    author: person,
    committer: person,
    message,
    tree: { sha: tree, url: `${root}/trees/${encodeURIComponent(tree)}` },
    parents: parents.map(addressed),
    verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
  };
}

export function blobOf(sha: string, text: string) {
  const url = `${api}/repos/shop/till/git/blobs/${encodeURIComponent(sha)}`;
  const content = Buffer.from(text).toString('base64');
  return { sha, node_id: 'B_1', url, size: Buffer.byteLength(text), encoding: 'base64', content };
}

export function referenceOf(ref: string, sha: string) {
  const root = `${api}/repos/shop/till/git`;
  return {
    ref,
    node_id: 'REF_1',
    url: `${root}/${ref}`,
    object: { type: 'commit', sha, url: `${root}/commits/${sha}` },
  };
}
