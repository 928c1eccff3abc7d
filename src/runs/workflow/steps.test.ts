import { describe, expect, test } from 'vitest';
import { finding } from '../../review/findings/findings.test-helper.ts';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { WorkingCopy } from '../../git/working-copy/working-copy.ts';
import { fixInput, workflowInput } from '../folder/saved-runs.test-helper.ts';
import { readEdits } from './edits.ts';
import { performSteps } from './performed-steps.test-helper.ts';
import { applyToUser, beginPhase, commitRound, countMade, endPhase, meetPair, takeTree } from './steps.ts';
import type { WorkflowDrive } from './types.ts';

const patch = `diff --git a/src/total.ts b/src/total.ts
--- a/src/total.ts
+++ b/src/total.ts
@@ -1,2 +1,3 @@
 export function total(items) {
+  const total = Math.round(subtotal(items));
   return total;
`;
const leadAgent = { id: 'lead', role: 'lead', provider: 'claude_code' } as const;
const met = { model: 'opus', version: '2', edition: 'left out' };

/** A run whose copy notes its commits. */
function world(changes: Partial<WorkflowDrive> = {}, answer = 'leave') {
  const performed = performSteps(answer);
  const commits: string[] = [];
  const state = { commit: 'c0', tree: 't0' };
  const copy: Partial<WorkingCopy> = {
    base: 'c0',
    head: () => commits.at(-1) ?? 'c0',
    snapshot: async () => 't0',
    diff: async (from, to) => (from === to ? '' : patch),
    change: async (from, to, options) => {
      performed.steps.push(['change', from, to, options]);
      return partly({ diffText: patch, attributes: {}, beside: [], contextCosts: [] });
    },
    commit: async (_tree, message) => (commits.push(message), `c${commits.length}`),
    edits: () => ({ root: '/shop', branch: 'collab/r1', base: state, head: { ...state, commit: 'c1' } }),
  };
  const input = workflowInput({ gates: 'ask' });
  const drive = {
    input,
    everywhere: input,
    copy,
    runId: 'r1',
    runFolder: scratchFolder(),
    leadAgent,
    reviewed: { change: null },
    met: { lead: null, advisor: null },
    env: {},
    ...changes,
  };
  const whole: WorkflowDrive = partly(drive);
  return { ...performed, drive: whole, commits };
}

/** Stands for the whole of which these are the parts that the steps use. */
function partly(parts: unknown): never {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no step uses another part
  return parts as never;
}

test('the first step has the digest of the whole input and the initial tree', async () => {
  const one = world();
  expect(await takeTree(one.context, one.drive)).toBe('t0');
  const other = world({ everywhere: workflowInput({ task: 'Another.' }) });
  await takeTree(other.context, other.drive);
  expect(one.steps[0]?.[0]).toBe('open');
  expect(one.steps[0]?.[1]).not.toEqual(other.steps[0]?.[1]);
});

test('the pair is introduced once and kept; an agent that was met in this drive stays', async () => {
  const { context, drive } = world();
  drive.introduce = async () => {
    drive.met.lead = met;
    return partly({});
  };
  await meetPair(context, drive);
  expect(drive.met).toEqual({ lead: met, advisor: null });
  const later = world();
  const recorded = { lead: { model: 'old', version: '1' }, advisor: { model: 'gpt', version: '3' } };
  later.drive.met.lead = met;
  later.context.step = async () => partly(recorded);
  await meetPair(later.context, later.drive);
  expect(later.drive.met).toEqual({ lead: met, advisor: recorded.advisor });
});

test('phases begin and end in the record, as the lead’s; an end that may differ is not remembered', async () => {
  const { context, drive, steps, emitted } = world();
  const pass = { phase: 'design', round: 2 } as const;
  await beginPhase(context, drive, pass);
  await endPhase(context, drive, { ...pass, result: 'settled' }, false);
  await endPhase(context, drive, { ...pass, result: 'settled' }, true);
  expect(emitted.slice(0, 2)).toEqual([
    [{ type: 'phase.started', ...pass }, { agent: leadAgent }],
    [{ type: 'phase.ended', ...pass, result: 'settled' }, { agent: leadAgent }],
  ]);
  expect(steps).toEqual([
    ['design/2/begin', {}, {}],
    ['design/2/end', { result: 'settled' }, { remember: false }],
    ['design/2/end', { result: 'settled' }, { remember: true }],
  ]);
});

describe('a commit', () => {
  const round = { phase: 'implementation', round: 1, tree: 't1', text: ' Done. \n' } as const;

  test('has the task as its subject and the lead’s words; a fix says which it is', async () => {
    const { context, drive, commits } = world();
    const { head, manifest } = await commitRound(context, drive, round);
    await commitRound(context, drive, { ...round, round: 3 });
    expect(commits).toEqual(['Round once.\n\nDone.\n', 'Round once. (fix 2)\n\nDone.\n']);
    expect([head, manifest]).toEqual(['c1', expect.stringContaining('src/total.ts')]);
    expect(readEdits(drive.runFolder)).toMatchObject({ run_id: 'r1', branch: 'collab/r1' });
  });

  test('has a short subject', async () => {
    for (const length of [60, 61]) {
      const { context, drive, commits } = world({ input: workflowInput({ task: 'x'.repeat(length) }) });
      await commitRound(context, drive, round);
      const subject = length === 60 ? 'x'.repeat(60) : `${'x'.repeat(57)}...`;
      expect(commits).toEqual([`${subject}\n\nDone.\n`]);
    }
  });

  test('of a run that travels is kept with its records, unless it is the one before', async () => {
    const kept = { tree: 't1', commit: 'c1', pack: 'p' };
    const { context, drive } = world({ keep: async () => kept });
    expect(await commitRound(context, drive, round)).toMatchObject({ head: 'c1', kept });
    drive.copy.commit = async () => drive.copy.head();
    expect(await commitRound(context, drive, round)).not.toHaveProperty('kept');
  });

  test('of a run that travels ends the run if it is too large', async () => {
    const { context, drive } = world({ keep: async () => null });
    expect(await refusalOf(commitRound(context, drive, round))).toMatchObject({
      code: 'input',
      message: 'The commits of the run are too large to be stored',
    });
  });
});

describe('the last gate', () => {
  const work = { head: 'c1', manifest: 'M src/total.ts' };
  const applied = async ({ context, drive }: ReturnType<typeof world>) => applyToUser(context, drive, work);

  test('asks with the files and the patch, and names the later way', async () => {
    const left = world();
    expect(await applied(left)).toEqual({ kind: 'left' });
    expect(left.asked.map(({ kind }) => kind)).toEqual(['gate']);
    expect(left.asked[0]?.text).toMatch(/^M src\/total\.ts\n\n[^]*\+ {2}const total = Math\.round/);
    expect(left.asked[0]?.text).toMatch(
      /\n\n`collab apply r1` applies them later as well\.\n\nApply these changes to your own files\?$/,
    );
  });

  test('applies nothing if there are no edits, although the answer or --apply says so', async () => {
    const yes = world({}, 'apply');
    expect(await applied(yes)).toEqual({ kind: 'left' });
    expect(yes.steps).toEqual([['apply/tree', { head: 'c1' }, {}]]);
    const told = world({ input: workflowInput({ gates: 'ask', apply: true }) });
    await applied(told);
    expect([told.asked.length, told.steps.length]).toEqual([0, 1]);
  });

  test('asks nothing and applies nothing by policy, and on another machine', async () => {
    const accepted = world({ input: workflowInput({ gates: 'accept' }) });
    const away = world({ input: workflowInput({ apply: true }), keep: async () => null });
    for (const run of [accepted, away]) {
      expect(await applied(run)).toEqual({ kind: 'left' });
      expect([run.asked, run.steps]).toEqual([[], []]);
    }
  });
});

describe('the change to review', () => {
  const made = {
    base: 'c0',
    head: 't1',
    former: null,
    words: 'the rounding',
    task: 'Round once.',
    sections: [],
  };
  const scope = { path: 'review/1', made };

  test('is the work of the lead with the task, and the settings say what is shown of it', async () => {
    const { context, drive, steps } = world();
    const counted = await countMade(context, drive, scope);
    expect(steps[0]).toEqual([
      'change',
      'c0',
      't1',
      { beside: expect.any(Array), context: drive.input.settings.context },
    ]);
    expect(counted.files.map(({ path }) => path)).toEqual(['src/total.ts']);
    expect(counted).toMatchObject({ fixed: null, brief: { task: 'Round once.', sections: [] } });
    expect(counted.brief).not.toHaveProperty('fixes');
    expect(JSON.stringify(counted.brief)).toContain('the rounding');
    expect(drive.reviewed.change?.counted.files).toEqual(counted.files);
    const settings = { ...drive.input.settings, conventions: false };
    const bare = world({ input: workflowInput({ settings }) });
    await countMade(bare.context, bare.drive, scope);
    expect(bare.steps[0]?.[3]).toMatchObject({ beside: [] });
  });

  test('after a fix names the lines that the fix wrote, and the fixes', async () => {
    const input = fixInput({ run: 'r0', findings: [finding()] });
    const { context, drive } = world({ input });
    const fixes = [finding()];
    const again = { ...scope, made: { ...made, former: 't0', fixes } };
    const { fixed, brief } = await countMade(context, drive, partly(again));
    expect(fixed).toEqual([{ path: 'src/total.ts', side: 'new', start: 2, end: 2 }]);
    expect(brief).toHaveProperty('fixes', fixes);
  });

  test('without trees is a fault of the program', async () => {
    const { context, drive } = world();
    await expect(countMade(context, drive, { path: 'review/1', made: null })).rejects.toThrow(
      'knows its trees',
    );
  });
});
