import { noBrief } from '../../prompts/review/review-request.ts';
import { createActor, fromPromise, toPromise } from 'xstate';
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../parsers/answers/read-answer.ts';
import { changedLinesOf } from '../../parsers/diff/ranges.ts';
import { wholeFile } from '../../parsers/diff/whole-file.ts';
import { placeInWhole } from '../../review/findings/anchors.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { takeCensus } from '../../review/census/census.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import { everything } from '../../review/census/selection.ts';
import { exchangeMachine } from '../exchange/exchange-machine.ts';
import type { AskInput, AskOutput, TurnRecord } from '../exchange/exchange-types.ts';
import { defaultBudgets } from '../../config/repair-budgets.ts';
import { nothingSpent } from '../exchange/ladder.ts';
import {
  reviewMachine,
  type CountedChange,
  type PlanInput,
  type RuleReport,
  type ReportInput,
  type ReviewInput,
  type ReviewOutput,
  type ReviewScope,
  type SearchInput,
  type SearchOutput,
} from './review-machine.ts';

import { leadMachine } from '../lead/lead-machine.ts';
import type { LeadAskInput, LeadAskOutput } from '../lead/lead-types.ts';
import {
  verifyMachine,
  type JudgeInput,
  type JudgeOutput,
  type VerifyInput,
  type VerifyOutput,
} from './verify-machine.ts';

/** Three files, each in a folder of its own. */
const diff = ['a', 'b', 'c']
  .map(
    (name) => `diff --git a/${name}/x.ts b/${name}/x.ts
--- a/${name}/x.ts
+++ b/${name}/x.ts
@@ -1,1 +1,3 @@
 export const first = 1;
+export const ${name}2 = 2;
+export const ${name}3 = 3;
`,
  )
  .join('');

const census = takeCensus(parseUnifiedDiff(diff), everything);

interface Played {
  readonly output: ReviewOutput;
  readonly asked: readonly AskInput[];
  /** The highest number of parallel exchanges. */
  readonly most: number;
  readonly planned: readonly PlanInput[];
  readonly reported: readonly ReportInput[];
  readonly verified: readonly VerifyInput[];
  readonly searched: readonly SearchInput[];
}

async function play(
  answer: (input: AskInput) => Partial<AskOutput>,
  settings: Pick<ReviewInput, 'chunk_tokens' | 'concurrency'> &
    Partial<Pick<ReviewInput, 'secondOpinion' | 'effort'>>,
  judge: (input: VerifyInput) => Partial<VerifyOutput> = () => ({}),
  search: (input: SearchInput) => SearchOutput = ({ issues }) => issues.map(() => null),
): Promise<Played> {
  const searched: SearchInput[] = [];
  const asked: AskInput[] = [];
  const planned: PlanInput[] = [];
  const reported: ReportInput[] = [];
  const verified: VerifyInput[] = [];
  let underWay = 0;
  let most = 0;
  const exchange = exchangeMachine.provide({
    actors: {
      ask: fromPromise<AskOutput, AskInput>(async ({ input }) => {
        asked.push(input);
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise<void>((resolve) => setImmediate(resolve));
        underWay -= 1;
        return { ...settled(input), ...answer(input) };
      }),
    },
  });
  const machine = reviewMachine.provide({
    actors: {
      exchange,
      count: fromPromise<CountedChange, ReviewScope>(async () => ({
        fixed: null,
        brief: noBrief,
        census,
        files: census.reviewable,
      })),
      plan: fromPromise<RuleReport, PlanInput>(async ({ input }) => {
        planned.push(input);
        return { evidence: { 'chunk-2': 'found in the second' }, issues: [], fault: null };
      }),
      search: fromPromise<SearchOutput, SearchInput>(async ({ input }) => {
        searched.push(input);
        return search(input);
      }),
      report: fromPromise<null, ReportInput>(async ({ input }) => {
        reported.push(input);
        return null;
      }),
      verify: verifierOf((input) => {
        verified.push(input);
        return judge(input);
      }),
    },
  });
  const actor = createActor(machine, {
    input: {
      path: 'review',
      made: null,
      budgets: defaultBudgets,
      secondOpinion: { kind: 'off' },
      effort: 'standard',
      ...settings,
    },
  });
  const output = toPromise(actor);
  actor.start();
  return { output: await output, asked, most, planned, reported, verified, searched };
}

/** A lead that is asked and judged by one function. */
function verifierOf(judge: (input: VerifyInput) => Partial<VerifyOutput>) {
  return verifyMachine.provide({
    actors: {
      lead: leadMachine.provide({
        actors: {
          ask: fromPromise<LeadAskOutput, LeadAskInput>(async () => ({
            action: 'answered',
            text: '',
            failure: null,
            retryAfterMs: null,
            sessionId: null,
            tree: '',
            spent: { waiting: 0, repeating: 0 },
            record: { promptBytes: 1, answerBytes: 1, durationMs: 1, usage: null },
          })),
        },
      }),
      judge: fromPromise<JudgeOutput, JudgeInput>(async ({ input: { path, findings } }) => {
        const asked = { by: 'lead', refutes: false, reads: 'nothing' } as const;
        const verify = { name: path.replace('review/', ''), path, findings, ...asked };
        const { judgements = [] } = judge({ ...verify, language: null, budgets: defaultBudgets });
        return { judgements, unreadable: [] };
      }),
    },
  });
}

function settled(input: AskInput): AskOutput {
  return {
    verdict: { kind: 'settled', block: blockOf(), issues: [], mergedFrom: [1] },
    action: 'settled',
    sessionId: null,
    spent: { ...nothingSpent, attempts: 1 },
    request: input.request,
    record: recordOf(input.request),
  };
}

function recordOf({ change }: ConsultRequest): TurnRecord {
  return {
    attempt: 1,
    rejected: null,
    promptBytes: 1,
    answerBytes: 1,
    durationMs: 1,
    promptDigest: 'p',
    answerDigest: 'a',
    shown: changedLinesOf(change ?? []),
    usage: null,
  };
}

function blockOf() {
  const reading = readAnswer(
    '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- Short.\n\n## ISSUES\nNone\n\n## SUGGESTIONS\nNone\n',
    '[RESPONSE:REVIEW]',
  );
  if (reading.kind !== 'whole') throw new Error('the fixture is not whole');
  return reading.block;
}

test('every chunk gets an exchange, within the allowed concurrency', async () => {
  const { output, planned, most } = await play(() => ({}), { chunk_tokens: 60, concurrency: 2 });
  expect(planned.map(({ chunks }) => chunks.map(({ name }) => name))).toEqual([
    ['chunk-1', 'chunk-2', 'chunk-3'],
  ]);
  expect(output.exchanges.map(({ name }) => name).toSorted()).toEqual(['chunk-1', 'chunk-2', 'chunk-3']);
  expect(most).toBe(2);
  expect(output.merged).toEqual({ findings: [], strengths: ['Short.'], suggestions: [] });
});

test('what rules found is evidence for its chunk, and the first to go where a prompt is too long', async () => {
  const { asked } = await play(() => ({}), { chunk_tokens: 60, concurrency: 3 });
  const [first, second] = asked.map(({ request }) => request);
  expect(first?.optional.map(({ title }) => title)).toEqual(['All files of the change']);
  expect(second?.optional.at(-1)).toEqual({
    title: 'Rules without a model: their findings, which are already reported',
    text: 'found in the second',
    origin: 'foreign',
  });
});

test('exchanges are in the order of the change, whichever ended first', async () => {
  const { output } = await play(
    ({ exchange, turn }) => (exchange.name === 'chunk-1' && turn === 1 ? { action: 'waiting' } : {}),
    { chunk_tokens: 60, concurrency: 3 },
  );
  expect(output.exchanges.map(({ name, turns }) => [name, turns.length])).toEqual([
    ['chunk-1', 2],
    ['chunk-2', 1],
    ['chunk-3', 1],
  ]);
});

test('X001-10.10 lines that a shortened prompt lost get an exchange of their own', async () => {
  const { output, asked } = await play(
    ({ exchange, request }) => {
      if (exchange.name !== 'chunk-1') return {};
      const record = { ...recordOf(request), shown: changedLinesOf(request.change ?? []).slice(0, 1) };
      return { record };
    },
    { chunk_tokens: 10_000, concurrency: 3 },
  );
  expect(output.exchanges.map(({ name }) => name)).toEqual(['chunk-1', 'chunk-1.rest']);
  expect(asked[1]?.request.change?.map(({ path }) => path)).toEqual(['b/x.ts', 'c/x.ts']);
});

test('a part that is lost again and again is not split forever', async () => {
  const { output } = await play(({ request }) => ({ record: { ...recordOf(request), shown: [] } }), {
    chunk_tokens: 10_000,
    concurrency: 3,
  });
  expect(output.exchanges.map(({ name }) => name)).toEqual([
    'chunk-1',
    'chunk-1.rest',
    'chunk-1.rest.rest',
    'chunk-1.rest.rest.rest',
  ]);
});

test('findings of an exchange that did not settle are kept', async () => {
  const cut = readAnswer(
    '[RESPONSE:REVIEW]\n\n## ISSUES\n### Critical\n1. **Wrong** — `a/x.ts:2`\n   ```\n   export const a2 = 2;\n   ```\n',
    '[RESPONSE:REVIEW]',
  );
  if (cut.kind !== 'incomplete') throw new Error('the fixture is not incomplete');
  const { output } = await play(
    () => ({
      action: 'exhausted',
      verdict: {
        kind: 'rejected',
        reason: 'incomplete',
        detail: 'missing: STRENGTHS, SUGGESTIONS',
        cause: 'protocol',
        hint: null,
        message: null,
        kept: { block: cut.block, wanted: cut.missing, from: [1] },
        final: false,
        uncounted: false,
        retryAfterMs: null,
      },
    }),
    { chunk_tokens: 10_000, concurrency: 1 },
  );
  expect(output.exchanges.map(({ outcome }) => outcome)).toEqual(['exhausted']);
  expect(output.merged.findings).toMatchObject([
    { severity: 'critical', title: 'Wrong', path: 'a/x.ts', start_line: 2, placement: 'exact' },
  ]);
});

const byLead = { kind: 'each', by: 'lead', refutes: false, reads: 'copy' } as const;

/** A finding of each severity, each on its own line. */
function withFindings({ exchange }: AskInput, from = '', to = ''): Partial<AskOutput> {
  if (exchange.name !== 'chunk-1') return {};
  const reading = readAnswer(
    `[RESPONSE:REVIEW]\n\n## STRENGTHS\nNone\n\n## ISSUES\n### Critical\n${item('a')}### Important\n${item('b')}### Minor\n${item('c')}\n## SUGGESTIONS\nNone\n`.replace(
      from,
      to,
    ),
    '[RESPONSE:REVIEW]',
  );
  if (reading.kind !== 'whole') throw new Error('the fixture is not whole');
  return { verdict: { kind: 'settled', block: reading.block, issues: reading.issues, mergedFrom: [1] } };
}

test('only quotations that are not in the change are searched in whole files', async () => {
  const settings = { chunk_tokens: 10_000, concurrency: 1 };
  expect((await play((asked) => withFindings(asked), settings)).searched).toEqual([]);
  const { output, searched } = await play(outsideFinding, settings, undefined, ({ issues }) =>
    issues.map((issue) => placeInWhole(issue, wholeFile('b/x.ts', '\nexport const caller = 1;\n'))),
  );
  expect(searched.map(({ issues }) => issues.map(({ issue }) => issue.title))).toEqual([['Wrong b']]);
  expect(
    output.merged.findings.map(({ path, start_line, placement }) => [path, start_line, placement]),
  ).toEqual([
    ['a/x.ts', 2, 'exact'],
    ['b/x.ts', 2, 'exact'],
    ['c/x.ts', 2, 'exact'],
  ]);
  const unfound = await play(outsideFinding, settings);
  expect(unfound.output.merged.findings[1]).toMatchObject({
    path: 'b/x.ts',
    start_line: null,
    placement: 'unplaced',
  });
});

/** One of the findings quotes a line that the change does not show. */
function outsideFinding(asked: AskInput): Partial<AskOutput> {
  return withFindings(asked, 'export const b2 = 2;', 'export const caller = 1;');
}

test('Critical and Important findings are sent to the lead, and the report has its verdicts', async () => {
  const { output, verified, reported } = await play(
    (asked) => withFindings(asked),
    { chunk_tokens: 10_000, concurrency: 1, secondOpinion: byLead },
    ({ findings }) => ({
      judgements: findings.map(({ finding: { id } }) => ({ id, verdict: 'confirmed', evidence: 'so' })),
    }),
  );
  expect(verified.map(({ name, findings }) => [name, findings.map(({ context }) => context)])).toEqual([
    ['verify-F1', [expect.stringContaining('+export const a2 = 2;')]],
    ['verify-F2', [expect.stringContaining('+export const b2 = 2;')]],
  ]);
  expect(output.merged.findings.map(({ id, verdict, evidence }) => [id, verdict, evidence])).toEqual([
    ['F1', 'confirmed', 'so'],
    ['F2', 'confirmed', 'so'],
    ['F3', 'unverified', undefined],
  ]);
  expect(output.secondOpinion).toMatchObject({ asked: ['F1', 'F2'], missing: [] });
  expect(reported[0]?.merged).toEqual(output.merged);
});

test('the calling lead gets all of them in one question; without a lead there is no question', async () => {
  const settings = { chunk_tokens: 10_000, concurrency: 1 };
  const together = await play((asked) => withFindings(asked), {
    ...settings,
    secondOpinion: { kind: 'together', refutes: false },
  });
  expect(together.verified.map(({ findings }) => findings.map(({ finding: { id } }) => id))).toEqual([
    ['F1', 'F2'],
  ]);
  expect(together.output.secondOpinion.missing).toMatchObject([{ ids: ['F1', 'F2'] }]);
  expect((await play((asked) => withFindings(asked), settings)).verified).toEqual([]);
});

const unsettled: Partial<AskOutput> = {
  action: 'exhausted',
  verdict: {
    kind: 'rejected',
    reason: 'empty',
    detail: 'the answer is empty',
    cause: 'protocol',
    hint: null,
    message: null,
    kept: null,
    final: true,
    uncounted: false,
    retryAfterMs: null,
  },
};

/** An answer with findings in these files, by the exchange's name. */
function finding(found: Readonly<Record<string, readonly string[]>>) {
  return ({ exchange: { name } }: AskInput): Partial<AskOutput> => {
    const files = found[name] ?? [];
    if (files.length === 0) return {};
    const reading = readAnswer(
      `[RESPONSE:REVIEW]\n\n## STRENGTHS\nNone\n\n## ISSUES\n### Important\n${files.map(item).join('')}\n## SUGGESTIONS\nNone\n`,
      '[RESPONSE:REVIEW]',
    );
    if (reading.kind !== 'whole') throw new Error('the fixture is not whole');
    return { verdict: { kind: 'settled', block: reading.block, issues: reading.issues, mergedFrom: [1] } };
  };
}

function firstOf(asked: AskInput): AskInput {
  return { ...asked, exchange: { ...asked.exchange, name: 'chunk-1' } };
}

function names(asked: readonly AskInput[]): readonly string[] {
  return asked.map(({ exchange }) => exchange.name);
}

describe('a deep review', () => {
  const deep = { chunk_tokens: 10_000, concurrency: 2, effort: 'deep' } as const;
  const first = ['chunk-1-correctness', 'chunk-1-security', 'chunk-1-data', 'chunk-1-contract'];

  test('asks for each lens in every chunk, within the allowed concurrency, and once for what was missed', async () => {
    const { asked, most, planned } = await play(() => ({}), deep);
    expect(names(asked)).toEqual([...first, 'chunk-1-missed-1']);
    expect(most).toBe(2);
    expect(planned.map(({ chunks, lenses }) => [chunks.length, lenses?.length])).toEqual([[1, 4]]);
    const questions = asked.map(({ request }) => request.question);
    expect(new Set(questions).size).toBe(5);
    expect(questions[1]).toContain('This pass is about security');
  });

  test('each finding names the passes that reported it, sorted by name', async () => {
    const found = {
      'chunk-1-security': ['a'],
      'chunk-1-contract': ['a', 'b'],
      'chunk-1-missed-1': ['a', 'c'],
    };
    const { output } = await play(finding(found), deep);
    expect(output.merged.findings.map(({ title, found_by }) => [title, found_by])).toEqual([
      ['Wrong a', ['contract', 'missed', 'security']],
      ['Wrong b', ['contract']],
      ['Wrong c', ['missed']],
    ]);
    const once = await play(finding({ 'chunk-1': ['a'] }), { ...deep, effort: 'quick' });
    expect(once.output.merged.findings.map((one) => 'found_by' in one)).toEqual([false]);
  });

  test('shows the findings so far to the pass for what was missed, as foreign text', async () => {
    const { asked } = await play(finding({ 'chunk-1-data': ['a'] }), deep);
    expect(asked[4]?.request.required).toEqual([
      { title: 'The findings so far', text: '- important, a/x.ts:2: Wrong a', origin: 'foreign' },
    ]);
  });

  test('looks once more after a pass that brought something new, and never a third time', async () => {
    const found = { 'chunk-1-missed-1': ['b'], 'chunk-1-missed-2': ['c'] };
    const { asked, output } = await play(finding(found), deep);
    expect(names(asked).slice(4)).toEqual(['chunk-1-missed-1', 'chunk-1-missed-2']);
    expect(output.merged.findings.map(({ title }) => title)).toEqual(['Wrong b', 'Wrong c']);
  });

  test('a pass that only repeats what is known is the last one', async () => {
    const found = { 'chunk-1-security': ['a'], 'chunk-1-missed-1': ['a'] };
    const { asked, output } = await play(finding(found), deep);
    expect(names(asked).slice(4)).toEqual(['chunk-1-missed-1']);
    expect(output.merged.findings).toHaveLength(1);
  });

  test('does not look for what was missed after a lens that did not settle', async () => {
    const { asked, output } = await play(
      ({ exchange: { name } }) => (name === 'chunk-1-data' ? unsettled : {}),
      deep,
    );
    expect(names(asked)).toEqual(first);
    expect(output.exchanges).toHaveLength(4);
  });

  test('lines that a shortened prompt of a lens lost get an exchange of that lens', async () => {
    const { asked } = await play(({ exchange: { name }, request }) => {
      if (name !== 'chunk-1-security') return {};
      return { record: { ...recordOf(request), shown: changedLinesOf(request.change ?? []).slice(0, 1) } };
    }, deep);
    const rest = asked.find(({ exchange }) => exchange.name === 'chunk-1-security.rest');
    expect(rest?.request.question).toContain('This pass is about security');
  });

  test('searches whole files under another step after each pass', async () => {
    const { searched } = await play(
      (asked) => (asked.exchange.name === 'chunk-1-data' ? outsideFinding(firstOf(asked)) : {}),
      deep,
    );
    expect(searched.map(({ number }) => number)).toEqual([1, 2]);
  });

  test('checks the findings of all passes', async () => {
    const found = { 'chunk-1-security': ['a'], 'chunk-1-missed-1': ['b'] };
    const { verified } = await play(finding(found), { ...deep, secondOpinion: byLead });
    expect(verified.map(({ name }) => name)).toEqual(['verify-F1', 'verify-F2']);
  });
});

function item(name: string): string {
  return `1. **Wrong ${name}** — \`${name}/x.ts:2\`\n   \`\`\`\n   export const ${name}2 = 2;\n   \`\`\`\n`;
}
