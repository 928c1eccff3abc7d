/** GitLab, by its REST API (version 4). */
import { z } from 'zod';
import { maxDiffBytes } from '../../git/change/change-input.ts';
import type { Forge, PullRequestName } from '../contract.ts';
import type { ForgeClient } from '../forge-client.ts';
import { ForgeError } from '../forge-error.ts';

const commitId = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
const mergeRequestSchema = z.looseObject({
  title: z.string(),
  description: z.string().nullish(),
  web_url: z.string(),
  draft: z.boolean().nullish(),
  state: z.string(),
  source_project_id: z.int().nullish(),
  target_project_id: z.int().nullish(),
  /** The compared commits; null until GitLab has compared the two branches. */
  diff_refs: z.looseObject({ base_sha: commitId, head_sha: commitId }).nullish(),
});

export function createGitlabForge(client: ForgeClient, name: PullRequestName): Forge {
  const path = `projects/${encodeURIComponent(name.repository)}/merge_requests/${name.number}`;
  return {
    async readPullRequest() {
      const read = await client.read({ path }, mergeRequestSchema);
      const { title, description, web_url: url, draft, state, diff_refs: refs } = read;
      const { source_project_id: source, target_project_id: target } = read;
      if (refs === null || refs === undefined) throw notCompared(name);
      return {
        ...name,
        title,
        body: description ?? '',
        url,
        base: refs.base_sha,
        head: refs.head_sha,
        isDraft: draft === true,
        isOpen: state === 'opened',
        isFork: source === null || source === undefined || source !== target,
      };
    },
    async readDiff() {
      return (await client.send({ path: `${path}/raw_diffs`, accept: 'text/plain', mostBytes: maxDiffBytes }))
        .text;
    },
  };
}

function notCompared({ number }: PullRequestName): ForgeError {
  return new ForgeError('input', `GitLab has not compared the branches of the merge request !${number} yet`, {
    status: null,
    hint: 'repeat the command in a minute',
  });
}
