/** GitHub, by its REST API (version 2022-11-28). */
import { z } from 'zod';
import { maxDiffBytes } from '../../git/change/change-input.ts';
import type { Forge, PullRequest, PullRequestName } from '../contract.ts';
import type { ForgeClient, ForgeRequest } from '../forge-client.ts';
import { ForgeError } from '../forge-error.ts';

const commitId = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
const pullSchema = z.looseObject({
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
  draft: z.boolean().nullish(),
  state: z.string(),
  base: z.looseObject({ sha: commitId }),
  head: z.looseObject({
    sha: commitId,
    repo: z.looseObject({ full_name: z.string() }).nullish(),
  }),
});

export const githubHeaders = { 'x-github-api-version': '2022-11-28' };

export function createGithubForge(client: ForgeClient, name: PullRequestName): Forge {
  const path = `repos/${name.repository}/pulls/${name.number}`;
  return {
    async readPullRequest() {
      const request = { path, accept: 'application/vnd.github+json' };
      return pullRequestOf(name, await client.read(request, pullSchema));
    },
    async readDiff() {
      const request = { path, accept: 'application/vnd.github.diff', mostBytes: maxDiffBytes };
      const { text } = await client.send(request).catch((error: unknown) => {
        throw error instanceof ForgeError && error.status === 406 ? tooLarge(name, error) : error;
      });
      return text;
    },
  };
}

function pullRequestOf(name: PullRequestName, pull: z.infer<typeof pullSchema>): PullRequest {
  return {
    ...name,
    title: pull.title,
    body: pull.body ?? '',
    url: pull.html_url,
    base: pull.base.sha,
    head: pull.head.sha,
    isDraft: pull.draft === true,
    isOpen: pull.state === 'open',
    isFork: pull.head.repo?.full_name.toLowerCase() !== name.repository.toLowerCase(),
  };
}

/** GitHub sends no diff of more than 300 files or 20,000 lines. */
function tooLarge({ number }: PullRequestName, cause: ForgeError): ForgeError {
  return new ForgeError('input', `GitHub sends no diff of a pull request as large as #${number}`, {
    status: cause.status,
    hint: `Fetch its commits, then repeat the command: git fetch origin pull/${number}/head`,
    cause,
  });
}

/** The request of a change. */
export function changeOnGithub(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): ForgeRequest {
  const accept = 'application/vnd.github+json';
  return { method, path, accept, ...(body === undefined ? {} : { body }) };
}
