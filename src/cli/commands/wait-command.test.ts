import { expect, test, vi } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { consultInput, reviewInput } from '../../runs/folder/saved-runs.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { atTerminal, collab, type SessionHow } from '../command.test-helper.ts';
import {
  engineWithRun,
  nowhere,
  openedRun,
  question,
  runId,
  standing,
} from '../engine/engine-with-run.test-helper.ts';

const waitAgain = `${runId} is still running; wait again: collab wait ${runId} --remote --timeout 9m\n`;

/** Waits for a run of this engine. */
function wait(methods: Partial<Engine>, flags: readonly string[] = [], how: SessionHow = {}) {
  const engine = engineWithRun(openedRun(reviewInput()), methods);
  return collab(nowhere, ['wait', ...flags], { engine, ...how });
}

const free = { untilFree: async () => 'free' } as const satisfies Partial<Engine>;

test('a run that goes on has a line every 30 seconds, until the time is over', async () => {
  const clock = createManualClock();
  const limits = vi.spyOn(globalThis, 'setTimeout');
  const untilFree = async () => {
    await clock.advance(30_000);
    return 'still_driven' as const;
  };
  const waited = await wait({ untilFree }, ['--timeout', '70s'], { clock });
  const naps = limits.mock.calls.map(([, ms]) => ms);
  limits.mockRestore();
  expect(waited).toEqual({ code: 11, out: waitAgain, err: `still running: ${runId}\n`.repeat(2) });
  expect(naps).toEqual([30_000, 30_000, 10_000]);
});

test('a time that is over at once asks for nothing', async () => {
  const clock = createManualClock();
  const now = clock.now();
  let looks = 0;
  const ticking = { ...clock, now: () => now + 1000 * (looks += 1) };
  expect(await wait({}, ['--timeout', '1s'], { clock: ticking })).toEqual({
    code: 11,
    out: waitAgain,
    err: '',
  });
});

test('Ctrl-C ends the wait, although the engine says that the run is free', async () => {
  const stop = new AbortController();
  const untilFree = async () => {
    stop.abort(new Error('stopped'));
    return 'free' as const;
  };
  const ended = await wait({ untilFree }, [], { signal: stop.signal, endedBy: () => 'SIGINT' });
  expect(ended).toEqual({ code: 130, out: '', err: '' });
});

const asking: Partial<Engine> = {
  ...free,
  status: async () => standing('waiting', question('gate:design')),
  result: async () => report({ state: 'waiting' }),
};

test('a run that asks ends the wait with its question and 10', async () => {
  expect(await wait(asking)).toEqual({
    code: 10,
    out: `${runId} asks:\n\nOpen gate:design?\n\nTo answer, write approve or revise; then\n  collab answer ${runId} --remote --file -\n`,
    err: '',
  });
  const { out } = await wait(asking, ['--format', 'json']);
  expect(JSON.parse(out)).toMatchObject({ run: runId, state: 'waiting', name: 'gate:design' });
});

test.each([
  ['interrupted', report()],
  ['ended', report({ state: 'running' })],
  ['ended', null],
] as const)('a run that is %s without its result was interrupted', async (state, result) => {
  const ended = { ...free, status: async () => standing(state), result: async () => result };
  expect(await wait(ended)).toEqual({
    code: 4,
    out: '',
    err: `${runId} was interrupted; continue it: collab resume ${runId}\n`,
  });
});

test('the exit code is that of the run; a format and --ascii are those of the report', async () => {
  const result = report({ findings: [], outcome: 'clean', exit_code: 3, suggestions: [], strengths: [] });
  const ended = { ...free, status: async () => standing('ended'), result: async () => result };
  const asJson = await wait(ended, ['--format', 'json']);
  expect([asJson.code, asJson.err, JSON.parse(asJson.out)]).toEqual([3, '', result]);
  const [plain, emoji] = [await wait(ended, ['--ascii']), await wait(ended)];
  expect([plain.code, plain.out === emoji.out]).toEqual([3, false]);
});

test('a terminal shows the run instead of a line every 30 seconds', async () => {
  const clock = createManualClock();
  const seen: unknown[] = [];
  const watched: Partial<Engine> = {
    async *events(_run, after) {
      seen.push(after);
      yield [];
    },
    records: async () => [],
    async untilFree() {
      await clock.advance(30_000);
      return 'still_driven';
    },
  };
  const screen = { ...atTerminal, color: { out: false, err: false } };
  const { code, out, err } = await wait(watched, ['--timeout', '40s'], { clock, screen });
  expect([code, out, seen]).toEqual([11, waitAgain, [0]]);
  expect(err).not.toContain('still running');
});

test('a consult is refused as findings before the wait begins', async () => {
  const engine = engineWithRun(openedRun(consultInput()), {});
  expect(await collab(nowhere, ['wait', '--format', 'sarif'], { engine })).toEqual({
    code: 2,
    out: '',
    err: 'collab: a consult has no findings, and sarif shows nothing else\n  use one of terminal, json, markdown\n',
  });
});
