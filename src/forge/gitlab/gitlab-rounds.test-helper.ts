/** A merge request of GitLab on loopback, and the rounds that reviews write on it. */
import { onTestFinished } from 'vitest';
import {
  startGitlabMergeRequest,
  type GitlabMergeRequest,
  type GitlabMergeRequestOptions,
} from '../../../test/forge/gitlab-merge-request.ts';
import type { Finding } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { openRoundHost } from '../open-forge.ts';
import { createMarks } from '../round/marks.ts';
import { publishRound } from '../round/publish-round.ts';
import { diffOf, headOf, roundResult } from '../round/rounds.test-helper.ts';

export type Files = Readonly<Record<string, readonly string[]>>;

export const gitlabMarks = createMarks({ scope: 'shop/till!7', secret: null });
const signal = new AbortController().signal;
const clock: Clock = { now: () => 0, sleep: async () => undefined };

export async function mergeRequestWith(
  files: Files,
  more: Partial<GitlabMergeRequestOptions> = {},
): Promise<GitlabMergeRequest> {
  const world = await startGitlabMergeRequest({ head: headOf(1), diff: diffOf(files), ...more });
  onTestFinished(() => world.close());
  return world;
}

/** The arguments that open the merge request as its host. */
export function gitlabHostOf(world: GitlabMergeRequest) {
  const name = { forge: 'gitlab', server: world.url, repository: 'shop/till', number: 7 } as const;
  return [name, { env: world.env, repositoryRoot: null, clock, signal }, gitlabMarks] as const;
}

/** Publishes the review of a head that has these files. */
export async function publishOnGitlab(
  world: GitlabMergeRequest,
  number: number,
  files: Files,
  found: readonly Finding[],
) {
  world.push({ head: headOf(number), diff: diffOf(files) });
  const host = await openRoundHost(...gitlabHostOf(world));
  const result = roundResult(files, found);
  const reviewed = { ...result, input: { ...result.input, head: headOf(number) } };
  const digest = 'd'.repeat(64);
  return publishRound({
    host,
    marks: gitlabMarks,
    result: reviewed,
    digest,
    skipDrafts: false,
  });
}
