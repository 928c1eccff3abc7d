/** Hosts of pull requests: what all of them can do, in one form. */

export type ForgeKind = 'github' | 'gitlab';

/** The address of a repository on a host. */
export interface ForgeRepository {
  readonly forge: ForgeKind;
  /** Without a slash at its end: `https://github.com`. */
  readonly server: string;
  /** `owner/name`; on GitLab with all groups. */
  readonly repository: string;
}

/** The address of a pull request, or of a merge request. */
export interface PullRequestName extends ForgeRepository {
  readonly number: number;
}

/** A pull request as its host describes it. Title and body are foreign text. */
export interface PullRequest extends PullRequestName {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  /** Full commit ids. */
  readonly base: string;
  readonly head: string;
  readonly isDraft: boolean;
  readonly isOpen: boolean;
  /** True if the head is in another repository, or in one that was deleted. */
  readonly isFork: boolean;
}

/** One host, with the login of one user. Each function throws `ForgeError`. */
export interface Forge {
  readonly readPullRequest: () => Promise<PullRequest>;
  /** The change of the pull request since it branched off its base, as git shows it. */
  readonly readDiff: () => Promise<string>;
}

/** `shop/till#7`; on GitLab `shop/till!7`. */
export function describePullRequest({ forge, repository, number }: PullRequestName): string {
  return `${repository}${forge === 'github' ? '#' : '!'}${number}`;
}

/** The name of the host's software, for messages. */
export function displayForge(forge: ForgeKind): string {
  return forge === 'github' ? 'GitHub' : 'GitLab';
}
