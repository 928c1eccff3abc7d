/** An HTTP field and the flag of the same name make the same request, and the same input of a run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { owner } from '../../src/access/speaker.ts';
import { readCommand } from '../../src/cli/program.ts';
import { CollabError } from '../../src/errors/collab-error.ts';
import { inFieldNames, requestOf, runFieldsSchema } from '../../src/server/routes/run-fields.ts';
import { startRequested } from '../../src/runs/start.ts';
import type { StartRequest } from '../../src/runs/start/start-request.ts';
import { systemClock as clock } from '../../src/system/clock.ts';
import { smallDiff } from '../../src/runs/rehearsed-review.test-helper.ts';
import { requestDeed, flagSettings } from '../../src/config/settings-table.ts';
import { scratchRepository } from '../fixtures/scratch-repository.ts';
import { sampleOf } from './setting-samples.ts';

/** A value of each field, and the equivalent words of a command line. */
type Samples = Readonly<Record<string, readonly unknown[]>>;

const samples: Readonly<Record<'review' | 'run' | 'fix', Samples>> = {
  review: {
    kind: ['review'],
    input: [{ staged: true }, '--staged'],
    ...settingSamples('review'),
    priority: ['batch', '--priority', 'batch'],
  },
  run: {
    kind: ['run'],
    task: ['write one', 'write one'],
    ...settingSamples('run'),
    phases: [['requirements', 'design'], '--phases', 'requirements,design'],
    priority: ['ci', '--priority', 'ci'],
    yes: [true, '--yes'],
    max_review_rounds: [3, '--max-review-rounds', '3'],
    apply: [true, '--apply'],
  },
  fix: {
    kind: ['fix'],
    run: ['x7k2', 'x7k2'],
    findings: [['2', 'F3'], '2', 'F3'],
    all_critical: [true, '--all-critical'],
    ...settingSamples('fix'),
    yes: [true, '--yes'],
    max_review_rounds: [3, '--max-review-rounds', '3'],
    apply: [true, '--apply'],
  },
};

function settingSamples(command: 'review' | 'run' | 'fix'): Samples {
  const named = flagSettings(command).filter((name) => requestDeed(name) !== 'name a path');
  const entries = named.map((name) => {
    const { written, flags } = sampleOf(name);
    return [name, [written, ...flags]] as const;
  });
  return Object.fromEntries(entries);
}

test('every field of every kind has a flag that makes the same request', () => {
  for (const { shape } of runFieldsSchema.options) {
    const kind = shape.kind.value;
    const own = samples[kind];
    expect(Object.keys(own).toSorted()).toEqual(Object.keys(shape).toSorted());
    for (const [field, [value, ...words]] of Object.entries(own)) {
      const needed = kind === 'run' && field !== 'task' ? { task: 'x' } : {};
      const byField = fieldsRequest({ kind, ...needed, ...(field === 'kind' ? {} : { [field]: value }) });
      const byFlag = lineRequest([kind, ...Object.values(needed), ...words.map(String)]);
      expect([field, byField]).toEqual([field, byFlag]);
    }
  }
});

test.each([
  [{ base: 'main' }, ['--base', 'main']],
  [{ commit: 'HEAD' }, ['--commit', 'HEAD']],
  [{}, []],
])('the change %j is the one that the flags %j name', (input, words) => {
  expect(fieldsRequest({ kind: 'review', input })).toEqual(lineRequest(['review', ...words]));
});

test.each([
  ['a diff', { diff: smallDiff }, '-'],
  ['a range', { range: 'main..topic' }, 'main..topic'],
])('%s in a field leads to the same input of a run as the argument', async (_title, input, word) => {
  const repository = scratchRepository();
  repository.write('a.txt', 'one\n');
  repository.commit('base');
  repository.git('checkout', '--quiet', '-b', 'topic');
  repository.write('a.txt', 'two\n');
  repository.commit('topic');
  // Static checks have no price and no lead, and the samples do not contain the file of this change.
  const left = new Set(['kind', 'input', 'budget_usd', 'lead', 'include']);
  const kept = Object.entries(samples.review).filter(([field]) => !left.has(field));
  const fields = Object.fromEntries(kept.map(([field, [value]]) => [field, value]));
  const words = kept.flatMap(([, [, ...flags]]) => flags.map(String));
  const byField = await inputOf(fieldsRequest({ kind: 'review', ...fields, input }), repository);
  const byFlag = await inputOf(lineRequest(['review', word, ...words]), repository);
  expect(byField).toEqual(byFlag);
  expect(byField).toMatchObject({
    kind: 'review',
    settings: { fail_on: 'important', rules: 'all', time_limit_ms: 5_400_000, cache: false, budget_calls: 2 },
  });
});

test('a range is a range, even if a file has its name', () => {
  expect(fieldsRequest({ kind: 'review', input: { range: 'a..b' } })).toMatchObject({
    changes: [{ kind: 'range', range: 'a..b' }],
  });
});

test.each([
  [{ kind: 'review', time_limit: '0s' }, 'time_limit'],
  [{ kind: 'review', concurrency: 65 }, 'concurrency'],
  [{ kind: 'run', task: 'x', max_review_rounds: 21 }, 'max_review_rounds'],
  [{ kind: 'run', task: 'x', budget_calls: 100_001 }, 'budget_calls'],
  [{ kind: 'review', rules: 'most' }, 'rules'],
])('what no flag takes, no field takes: %j', (fields, name) => {
  const { error } = runFieldsSchema.safeParse(fields);
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([name]);
});

test('an error names fields to a caller that sent fields', async () => {
  const { root, env } = scratchRepository();
  const request = fieldsRequest({
    kind: 'review',
    input: { diff: smallDiff },
    verify: true,
    advisor: 'static_review',
  });
  const refused = await startRequested(request, placeIn({ root, env })).catch((error: unknown) =>
    inFieldNames(error, { kind: 'review' }),
  );
  expect(refused).toMatchObject({
    code: 'usage',
    message: 'verify needs an agent that checks the findings: no lead takes part',
    hint: 'name a lead: lead claude_code, or lead caller inside Claude Code; or choose a model as advisor; or omit verify',
  });
  const spelled = inFieldNames(
    new CollabError('usage', '--base and --no-cache, --config', { hint: '--fail-on' }),
    { kind: 'review' },
  );
  expect(spelled).toMatchObject({ message: 'input.base and cache, --config', hint: 'fail_on' });
});

function fieldsRequest(fields: object): StartRequest {
  const { wanted } = requestOf(runFieldsSchema.parse(fields), { speaker: owner, token: null });
  if (wanted.kind !== 'start') throw new Error(`a ${wanted.kind}`);
  return wanted.request;
}

function lineRequest(words: readonly string[]): StartRequest {
  const starts = readCommand(words)?.starts;
  if (starts === null || starts === undefined) throw new Error('starts no run');
  return starts.request;
}

const readInput = async () => Buffer.from(smallDiff);

function placeIn({ root, env }: Pick<ReturnType<typeof scratchRepository>, 'root' | 'env'>) {
  const signal = new AbortController().signal;
  return { home: join(root, '.collab'), cwd: root, env, clock, signal, readInput };
}

/** The kept input, without the random values of each run. */
async function inputOf(request: StartRequest, repository: ReturnType<typeof scratchRepository>) {
  const { path } = await startRequested(request, placeIn(repository));
  const { started_at, fence_seed, ...input } = JSON.parse(readFileSync(join(path, 'input.json'), 'utf8'));
  expect([typeof started_at, typeof fence_seed]).toEqual(['string', 'string']);
  return input;
}
