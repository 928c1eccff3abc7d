/** A pull request of GitHub on loopback, and the rounds that reviews write on it. */
import { expect, onTestFinished } from 'vitest';
import { startGithubPull, type GithubPull, type GithubPullOptions } from '../../../test/forge/github-pull.ts';
import type { Finding } from '../../events/collab-event.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import type { Clock } from '../../system/clock.ts';
import { openRoundHost } from '../open-forge.ts';
import { createMarks } from '../round/marks.ts';
import { publishRound, type RoundReport } from '../round/publish-round.ts';
import { diffOf, headOf, roundResult } from '../round/rounds.test-helper.ts';
import type { RoundOfSix } from '../round/six-rounds.test-helper.ts';

type Files = RoundOfSix['files'];

export async function pullWith(files: Files, more: Partial<GithubPullOptions> = {}): Promise<GithubPull> {
  const pull = await startGithubPull({ head: headOf(1), diff: diffOf(files), ...more });
  onTestFinished(() => pull.close());
  return pull;
}

export interface Publishing {
  readonly skipDrafts?: boolean;
  readonly secret?: string;
  /** Gets the lines about waits. */
  readonly tellWait?: (line: string) => void;
}

export async function publishOnGithub(
  pull: GithubPull,
  result: ReviewResult,
  { skipDrafts = false, secret, tellWait }: Publishing = {},
): Promise<RoundReport> {
  const name = { forge: 'github', server: pull.url, repository: 'shop/till', number: 7 } as const;
  const marks = createMarks({
    scope: 'shop/till#7',
    secret: secret === undefined ? null : Buffer.from(secret),
  });
  const clock: Clock = { now: () => 0, sleep: async () => undefined };
  const { signal } = new AbortController();
  const place = { env: pull.env, repositoryRoot: null, clock, signal, tellWait };
  const host = await openRoundHost(name, place, marks);
  return publishRound({ host, marks, result, digest: 'd'.repeat(64), skipDrafts });
}

/** Publishes the review of a head that has these files. */
export async function roundOnGithub(
  pull: GithubPull,
  number: number,
  { files, found }: { readonly files: Files; readonly found: readonly Finding[] },
  publishing: Publishing = {},
): Promise<RoundReport> {
  pull.push({ head: headOf(number), diff: diffOf(files) });
  const result = roundResult(files, found);
  const reviewed = { ...result, input: { ...result.input, head: headOf(number) } };
  return publishOnGithub(pull, reviewed, publishing);
}

/** The place, the title, the state and the number of replies of each thread. */
export function shownThreads(pull: GithubPull): readonly string[] {
  return pull.threads().map(({ path, line, isResolved, comments }) => {
    const title = /\*\*\w+:\*\* (.*)/.exec(comments[0]?.body ?? '')?.[1];
    const replies = comments.length > 1 ? ` +${comments.length - 1}` : '';
    return `${path}:${line} ${title}${isResolved ? ' (resolved)' : ''}${replies}`;
  });
}

/** The only summary. */
export function summaryOf(pull: GithubPull): string {
  const own = pull.comments().filter(({ body }) => body.startsWith('<!-- collab:review -->'));
  expect(own).toHaveLength(1);
  return own[0]?.body ?? '';
}
