import { onTestFinished } from 'vitest';
import { startGithubPull, type GithubPull, type GithubPullOptions } from '../../../test/forge/github-pull.ts';
import type { Finding } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { openCommentHost, openRoundHost } from '../open-forge.ts';
import { createMarks } from '../round/marks.ts';
import { publishRound } from '../round/publish-round.ts';
import { diffOf, findingOn, headOf, roundResult } from '../round/rounds.test-helper.ts';
import { carryOut } from './carry-out.ts';
import type { CommandReport, NextJob } from './command-facts.ts';
import { readCommentName } from './comment-name.ts';
import type { FixResult } from './fix-result.ts';

export const till = ['export function till(cash: number) {', '  log(cash);', '  return cash;', '}'];
const files = { 'src/till.ts': till };
export const onLog = findingOn({
  path: 'src/till.ts',
  line: 2,
  quote: till[1] ?? '',
  title: 'log shows cash',
});
const signal = new AbortController().signal;
const clock: Clock = { now: () => 0, sleep: async () => undefined };
export const marks = createMarks({ scope: 'shop/till#7', secret: null });
export const file = (text: string, mode = '100644') => ({ text, mode });
export const head = {
  'src/till.ts': file(`${till.join('\n')}\n`),
  'src/l': file('../../etc', '120000'),
  sub: file('abc', '160000'),
};

export function hostOf(pull: GithubPull) {
  const name = { forge: 'github', server: pull.url, repository: 'shop/till', number: 7 } as const;
  return [name, { env: pull.env, repositoryRoot: null, clock, signal }, marks] as const;
}

export async function reviewed(
  more: Partial<GithubPullOptions> = {},
  found: readonly Finding[] = [onLog],
): Promise<GithubPull> {
  const pull = await startGithubPull({
    head: headOf(1),
    diff: diffOf(files),
    files: head,
    pageSize: 50,
    ...more,
  });
  onTestFinished(() => pull.close());
  const result = roundResult(files, found);
  const of = { ...result, input: { ...result.input, head: headOf(1) } };
  const host = await openRoundHost(...hostOf(pull));
  await publishRound({ host, marks, result: of, digest: 'd', skipDrafts: false });
  return pull;
}

export async function command(pull: GithubPull, id: number, fix?: FixResult | 'missing') {
  const host = await openCommentHost(...hostOf(pull));
  const announced: NextJob[] = [];
  const announce = (next: NextJob) => void announced.push(next);
  const options = { host, marks, name: readCommentName(String(id)), announce };
  const report: CommandReport = await carryOut(fix === undefined ? options : { ...options, fix });
  return { ...report, announced };
}

export function fixOf(patch: string | null, more: Partial<FixResult> = {}): FixResult {
  const findings = [{ id: 'F1', fate: 'fixed' as const, reason: null }];
  return { schema: 'collab.fix/v1', run_id: 'r1', head: headOf(1), findings, patch, ...more };
}

export const patchOf = (hunks: string, path = 'src/till.ts') =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunks}`;
export const oneLine = patchOf(
  '@@ -1,4 +1,4 @@\n export function till(cash: number) {\n-  log(cash);\n+  log(mask(cash));\n   return cash;\n }\n',
);
export const twoLines = patchOf(
  '@@ -1,4 +1,5 @@\n+import { mask } from "./mask.ts";\n export function till(cash: number) {\n-  log(cash);\n+  log(mask(cash));\n   return cash;\n }\n',
);
export const answers = (pull: GithubPull) =>
  pull
    .comments()
    .filter(({ body }) => body.startsWith('<!-- collab:answer'))
    .map(({ body }) => body);
