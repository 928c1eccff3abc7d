/** Opens the host of a pull request with the login that the user has for it. */
import type { Clock } from '../system/clock.ts';
import { apiOf } from './addresses.ts';
import { displayForge, type Forge, type PullRequestName } from './contract.ts';
import { createForgeClient } from './forge-client.ts';
import { createGithubForge, githubHeaders } from './github/github-forge.ts';
import { createGitlabForge } from './gitlab/gitlab-forge.ts';
import { findForgeLogin, type LoginPlace } from './login.ts';

export interface OpenForge extends Forge {
  /** The source of the login, never its value: `GitHub with the token of GITHUB_TOKEN`. */
  readonly note: string;
}

/** @throws CollabError `auth` */
export async function openForge(
  name: PullRequestName,
  { clock, ...place }: LoginPlace & { readonly clock: Clock },
): Promise<OpenForge> {
  const login = await findForgeLogin(name, place);
  const { forge } = name;
  const options = { forge, api: apiOf(name, place.env), login, clock, signal: place.signal };
  const opened =
    forge === 'github'
      ? createGithubForge(createForgeClient({ ...options, headers: githubHeaders }), name)
      : createGitlabForge(createForgeClient(options), name);
  const by = login === null ? 'without a token' : `with the token of ${login.source}`;
  return { ...opened, note: `${displayForge(forge)} ${by}` };
}
