/** Opens the host of a pull request with the login that the user has for it. */
import { CollabError } from '../errors/collab-error.ts';
import { apiOf } from './addresses.ts';
import { displayForge, type Forge, type PullRequestName } from './contract.ts';
import { createForgeClient, type ForgeClient } from './forge-client.ts';
import type { CommentHost } from './commands/comment-host.ts';
import { createGithubComments } from './github/github-comments.ts';
import { createGithubForge, githubHeaders } from './github/github-forge.ts';
import { createGithubRounds } from './github/github-rounds.ts';
import { createGitlabComments } from './gitlab/gitlab-comments.ts';
import { createGitlabForge } from './gitlab/gitlab-forge.ts';
import { createGitlabRounds } from './gitlab/gitlab-rounds.ts';
import { findForgeLogin, type LoginPlace } from './login.ts';
import type { Marks } from './round/marks.ts';
import type { RoundHost } from './round/round-host.ts';
import { createWaits, type WaitsOptions } from './waits.ts';

export type ForgePlace = LoginPlace & WaitsOptions;

interface Noted {
  /** The source of the login, never its value: `GitHub with the token of GITHUB_TOKEN`. */
  readonly note: string;
}

export type OpenForge = Forge & Noted;

/** @throws CollabError `auth` */
export async function openForge(name: PullRequestName, place: ForgePlace): Promise<OpenForge> {
  const { note, forge } = await connect(name, place);
  return { ...forge, note };
}

/** Opens it for writing. @throws CollabError `auth` without a token */
export async function openRoundHost(
  name: PullRequestName,
  place: ForgePlace,
  marks: Marks,
): Promise<RoundHost & Noted> {
  return (await openRounds(name, place, marks)).rounds;
}

/** Opens it for commands in comments. @throws CollabError `auth` without a token */
export async function openCommentHost(
  name: PullRequestName,
  place: ForgePlace,
  marks: Marks,
): Promise<CommentHost & Noted> {
  const { rounds, client } = await openRounds(name, place, marks);
  const create = name.forge === 'github' ? createGithubComments : createGitlabComments;
  return { ...create(rounds, { client, name }), note: rounds.note };
}

async function openRounds(name: PullRequestName, place: ForgePlace, marks: Marks) {
  const { note, forge, client, api, hasToken } = await connect(name, place);
  if (!hasToken) {
    throw new CollabError('auth', `${displayForge(name.forge)} takes comments only with a token`, {
      hint: 'Set GITHUB_TOKEN or GITLAB_TOKEN, or log in with gh auth login or glab auth login.',
    });
  }
  const options = { forge, client, api, name, marks };
  const host = name.forge === 'github' ? createGithubRounds(options) : createGitlabRounds(options);
  return { rounds: { ...host, note }, client };
}

interface Connection extends Noted {
  readonly forge: Forge;
  readonly client: ForgeClient;
  readonly api: string;
  readonly hasToken: boolean;
}

async function connect(name: PullRequestName, place: ForgePlace): Promise<Connection> {
  const login = await findForgeLogin(name, place);
  const isGithub = name.forge === 'github';
  const api = apiOf(name, place.env);
  const headers = isGithub ? { headers: githubHeaders } : {};
  const client = createForgeClient({
    forge: name.forge,
    api,
    login,
    waits: createWaits(place),
    ...headers,
  });
  const forge = isGithub ? createGithubForge(client, name) : createGitlabForge(client, name);
  const by = login === null ? 'without a token' : `with the token of ${login.source}`;
  return { forge, client, api, note: `${displayForge(name.forge)} ${by}`, hasToken: login !== null };
}
