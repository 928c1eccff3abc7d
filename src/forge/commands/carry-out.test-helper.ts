import { onTestFinished } from 'vitest';
import { startGithubPull, type GithubPull, type GithubPullOptions } from '../../../test/forge/github-pull.ts';
import type { Finding } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import type { PullRequestName } from '../contract.ts';
import { openCommentHost, openRoundHost } from '../open-forge.ts';
import { createMarks } from '../round/marks.ts';
import { publishRound } from '../round/publish-round.ts';
import { diffOf, findingOn, headOf, roundResult } from '../round/rounds.test-helper.ts';
import { readCommentName } from './comment-name.ts';
import { carryOut } from './carry-out.ts';
import type { CommandReport, NextJob, PullCommandOptions } from './command-facts.ts';

export const till = ['export function till(cash: number) {', '  log(cash);', '  return cash;', '}'];
export const files = { 'src/till.ts': till };
export const onLog = findingOn({
  path: 'src/till.ts',
  line: 2,
  quote: till[1] ?? '',
  title: 'log shows cash',
  severity: 'important',
});
export const beside = {
  ...onLog,
  identity: 'be'.repeat(32),
  title: 'beside',
  path: 'src/b.ts',
  outside_change: true,
};
const signal = new AbortController().signal;
const clock: Clock = { now: () => 0, sleep: async () => undefined };
const secret = Buffer.from('a long random word');

interface World {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

function nameOf({ url }: World, forge: PullRequestName['forge']): PullRequestName {
  return { forge, server: url, repository: 'shop/till', number: 7 };
}

export function openingOf(world: World, forge: PullRequestName['forge']) {
  const place = { env: world.env, repositoryRoot: null, clock, signal };
  return { name: nameOf(world, forge), place, marks: createMarks({ scope: 'shop/till 7', secret }) };
}

export async function round(
  world: World & { readonly push: (next: { readonly head: string; readonly diff: string }) => void },
  number: number,
  found: readonly Finding[],
  forge: PullRequestName['forge'] = 'github',
) {
  world.push({ head: headOf(number), diff: diffOf(files) });
  const { name, place, marks } = openingOf(world, forge);
  const host = await openRoundHost(name, place, marks);
  const result = roundResult(files, found, { fail_on: 'important' });
  const reviewed = { ...result, input: { ...result.input, head: headOf(number) } };
  return publishRound({
    host,
    marks,
    result: reviewed,
    digest: String(number).repeat(64),
    skipDrafts: false,
  });
}

export async function command(
  world: World,
  comment: string,
  forge: PullRequestName['forge'] = 'github',
  more: Pick<PullCommandOptions, 'fix'> = {},
): Promise<CommandReport & { readonly announced: readonly NextJob[] }> {
  const { name, place, marks } = openingOf(world, forge);
  const host = await openCommentHost(name, place, marks);
  const announced: NextJob[] = [];
  const announce = (start: NextJob) => void announced.push(start);
  const report = await carryOut({
    host,
    marks,
    name: readCommentName(comment),
    announce,
    ...more,
  });
  return { ...report, announced };
}

export async function pullRequest(more: Partial<GithubPullOptions> = {}): Promise<GithubPull> {
  const permissions = { anna: 'write', root: 'admin', guest: 'read', 'ci[bot]': 'write' };
  const pull = await startGithubPull({ head: headOf(1), diff: diffOf(files), permissions, ...more });
  onTestFinished(() => pull.close());
  return pull;
}
export const said = (pull: GithubPull) =>
  pull
    .comments()
    .filter(({ author, body }) => author === 'collab-bot' && !body.startsWith('<!-- collab:review'));
export const summaryOf = (pull: GithubPull) =>
  pull.comments().find(({ body }) => body.startsWith('<!-- collab:review'))?.body;
