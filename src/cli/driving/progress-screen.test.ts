/** The output of each kind for the same run; `^` stands for the beginning of a control sequence. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { advisor, ended, eventStream, started } from '../../../test/fixtures/screens/event-streams.ts';
import type { EventBody } from '../../events/collab-event.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import type { Introduction, WorkflowIntroduction } from '../../runs/introduction.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { sessionIn } from '../command.test-helper.ts';
import type { Screen } from '../session.ts';
import { agentNamesIn } from './live-screen.ts';
import { createProgressScreen, type ScreenOptions } from './progress-screen.ts';
import { watchWhile } from './watch-run.ts';

const codex: AgentIdentity = {
  provider: 'codex',
  displayName: 'Codex of the team',
  version: null,
  model: null,
  login: null,
  destination: null,
  remarks: [],
};
const facts: Introduction = {
  kind: 'consult',
  phase: 'design',
  advisor: codex,
  lead: null,
  notes: [],
  estimatedTokens: 7,
  timeLimitMs: 60_000,
};
const consulted = (body: EventBody, atMs: number) => ({
  body,
  agent: advisor,
  exchangeId: 'ex_design-1-consult-1',
  step: 'consult',
  atMs,
});
const events = eventStream([
  started(),
  { body: { type: 'phase.started', phase: 'design', round: 1 }, atMs: 0 },
  consulted(
    { type: 'exchange.sent', tag: '[CONSULT:DESIGN]', attempt: 1, prompt_bytes: 1, prompt_ref: 'x' },
    1000,
  ),
  consulted({ type: 'text.end', block_id: 'b', text: 'Said **so**.' }, 1000),
  consulted({ type: 'exchange.ended', outcome: 'settled', attempts: 1 }, 3000),
  ended(),
]);

const thinking: EventBody = { type: 'thinking.delta', block_id: 't', text: 'Hm.' };
const terminal = (out: boolean, err = true): Partial<Screen> => ({ interactive: { out, err } });

const introduced =
  'asking about the design\n  by Codex of the team; nothing leaves this machine\n  about 7 tokens of brief and context; time limit 1 min\n';
const progress = 'design begins\ndesign: consult 1 … settled in 2 s\n';
const work = [
  '\n🚀 Claude Code: model=claude-opus-4-20250514, id=abc123\n',
  '\n  🚀 Codex: model=gpt-5-codex\n',
  '\n  Said **so**.\n',
  '\n📊 duration_ms=1234, cost_usd=0.000000, input_tokens=0, output_tokens=0, next_session_tokens=0\n',
].join('');
const asciiWork = work.replaceAll('🚀', '[init]').replace('📊', '[stats]');

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

interface Shown {
  readonly screen?: Partial<Screen>;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: Partial<ScreenOptions>;
}

async function open({ screen = {}, env = {}, options }: Shown) {
  const clock = createManualClock(Date.parse('2026-11-21T09:30:00.000Z'));
  const { session, printed } = sessionIn({ root: '/home/user/project', env }, { screen, clock });
  const usual = { verbose: false, ascii: false, plain: false, onStandardOutput: false };
  const shown = await createProgressScreen(session, { ...usual, ...options });
  let [out, err] = [0, 0];
  /** Returns what was printed since the last look. */
  const since = () => {
    const all = printed();
    const next = { out: all.out.slice(out), err: all.err.slice(err).replaceAll('\u001b[', '^') };
    [out, err] = [all.out.length, all.err.length];
    return next;
  };
  return { screen: shown, since, clock };
}

/** Returns everything that a whole run shows. */
async function whole(how: Shown) {
  const { screen, since } = await open(how);
  screen.introduce(facts);
  for (const event of events) screen.push(event);
  const release = screen.hold();
  release();
  screen.close();
  expect(vi.getTimerCount()).toBe(0);
  return since();
}

const wrapped =
  'asking about the design\n  by Codex of the team;\n    nothing leaves this\n    machine\n  about 7 tokens of brief\n    and context; time limit 1\n    min\n';

test.each<readonly [string, Shown, { readonly out: string; readonly err: string }]>([
  ['a pipe', { screen: { columns: 29 } }, { out: '', err: introduced + progress }],
  [
    'a run of phases on pipes',
    { options: { onStandardOutput: true } },
    { out: work, err: introduced + progress },
  ],
  ['a pipe with --verbose', { options: { verbose: true, ascii: true } }, { out: '', err: asciiWork }],
  [
    'a run of phases in a file, with its errors at a terminal',
    { screen: terminal(false), options: { onStandardOutput: true } },
    { out: work, err: introduced + progress },
  ],
  [
    'a terminal with --plain',
    { screen: { ...terminal(true), columns: 29 }, options: { plain: true } },
    { out: '', err: `${wrapped}design begins\ndesign: consult 1 …\n    settled in 2 s\n` },
  ],
  [
    'a run of phases at a terminal with --plain',
    { screen: terminal(true), options: { plain: true, onStandardOutput: true } },
    { out: work, err: introduced },
  ],
  [
    'a run of phases at a terminal with --verbose',
    { screen: terminal(true), options: { verbose: true, onStandardOutput: true } },
    { out: work, err: introduced },
  ],
  [
    'the log of a CI job',
    { screen: terminal(true), env: { CI: 'true' } },
    { out: '', err: introduced + progress },
  ],
  [
    'a run of phases in the log of a CI job',
    { screen: terminal(true), env: { CI: 'true' }, options: { onStandardOutput: true } },
    { out: work, err: introduced },
  ],
  [
    'a terminal that prints lines and nothing else',
    { screen: { ...terminal(true), movesCursor: false } },
    { out: '', err: introduced + progress },
  ],
  [
    'a terminal whose errors are in a file',
    { screen: terminal(true, false), options: { onStandardOutput: true } },
    { out: work, err: introduced },
  ],
])('%s shows the run in lines', async (_what, how, shown) => {
  expect(await whole(how)).toEqual(shown);
});

test('the work is colored by the output that gets it', async () => {
  const onlyOut = { color: { out: true, err: false } };
  const both = await whole({ screen: onlyOut, options: { onStandardOutput: true } });
  expect([both.out.split('\n', 2).join('\n'), both.err]).toEqual([
    `\n\u001b[1m${work.split('\n')[1]}\u001b[22m`,
    introduced + progress,
  ]);
  expect((await whole({ screen: onlyOut, options: { verbose: true } })).err).toBe(work);
  const onlyErr = { color: { out: false, err: true } };
  expect((await whole({ screen: onlyErr, options: { verbose: true } })).err).toMatch(/^\n\^1m🚀 Claude Code/);
});

const said = (text: string) => eventStream([started(), { type: 'text.end', block_id: 'b', text }, ended()]);

const shownIn = async (options: Partial<ScreenOptions>) => {
  const { screen, since } = await open({ env: { GITHUB_ACTIONS: 'true' }, options });
  for (const event of said('::error::no')) screen.push(event);
  screen.close();
  return since();
};

test('a runner of a CI job finds no command in the work, but standard error is broken already', async () => {
  expect((await shownIn({ onStandardOutput: true })).out).not.toContain('\n::error::no');
  expect((await shownIn({ verbose: true })).err).toContain('::error::no');
});

const begin = '^?2026h';
const end = '^?2026l';
const erase = '\r^2K';
const up = '^1A^2K';

test('a terminal shows the log above its live lines, which move', async () => {
  const { screen, since, clock } = await open({ screen: terminal(true), env: { CI: '' } });
  expect(since()).toEqual({ out: '', err: `${begin}⠋ at work · 0 s${end}` });
  screen.introduce(facts);
  const block = [
    'asking about the design',
    '  by     Codex of the team',
    '  sends  nothing leaves this machine',
    '  size   about 7 tokens of brief and context',
    '  limit  1 min',
    '\n',
  ].join('\n');
  expect(since()).toEqual({ out: '', err: `${begin}${erase}${block}⠋ at work · 0 s${end}` });
  for (const event of events.slice(0, 4)) screen.push(event);
  expect(since().err).toBe(`${begin}${erase}design begins\n⠋ at work · 0 s${end}`);
  await clock.advance(3080);
  vi.advanceTimersByTime(99);
  expect(since().err).toBe('');
  vi.advanceTimersByTime(1);
  const line = '  Codex of the team · design: consult 1 · thinking · 2 s';
  expect(since().err).toBe(`${begin}${erase}⠇ design · 3 s\n${line}${end}`);

  const release = screen.hold();
  expect(since().err).toBe(`${erase}${up}`);
  const releaseOther = screen.hold();
  expect(since().err).toBe('');
  for (const event of events.slice(4)) screen.push(event);
  expect(since().err).toBe('design: consult 1 … settled in 2 s\n');
  release();
  vi.advanceTimersByTime(500);
  expect(since().err).toBe('');
  releaseOther();
  expect(since().err).toMatch(/^\^\?2026h⠇ design · 3 s\n/);
  const listeners = process.listenerCount('exit');
  screen.close();
  expect(since()).toEqual({ out: '', err: `${erase}${up}` });
  expect([vi.getTimerCount(), process.listenerCount('exit')]).toEqual([0, listeners - 1]);
});

test('the live lines leave room in a small terminal', async () => {
  const known = Object.getOwnPropertyDescriptor(process.stderr, 'rows');
  try {
    for (const [height, lines] of [
      [undefined, 6],
      [40, 6],
      [7, 5],
      [2, 1],
    ] as const) {
      Object.defineProperty(process.stderr, 'rows', { value: height, configurable: true });
      const { screen, since } = await open({ screen: { ...terminal(true), columns: 20 } });
      for (const event of eventStream(
        ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((step) => ({
          body: thinking,
          agent: advisor,
          step,
          atMs: 0,
        })),
      ))
        screen.push(event);
      since();
      vi.advanceTimersByTime(100);
      const drawn = since().err.split('\n');
      expect([height, drawn.length]).toEqual([height, lines]);
      expect(drawn[0]).toMatch(/ at work · 0 s(?:\^\?2026l)?$/);
      expect(drawn.slice(1, -1)).toEqual(Array(Math.max(0, lines - 2)).fill('  Codex · thin...'));
      screen.close();
    }
  } finally {
    if (known === undefined) Reflect.deleteProperty(process.stderr, 'rows');
    else Object.defineProperty(process.stderr, 'rows', known);
  }
});

test('a run of phases at a terminal is a conversation with live lines', async () => {
  const { screen, since } = await open({
    screen: { ...terminal(true), columns: 40 },
    options: { onStandardOutput: true, ascii: true },
  });
  screen.introduce(facts);
  expect(since()).toEqual({
    out: '',
    err: expect.stringMatching(
      /asking about the design\n {2}by {5}Codex of the team\n[^]*\n\n- at work - 0 s\^\?2026l$/,
    ),
  });
  for (const event of events) screen.push(event);
  screen.hold()();
  screen.close();
  const { out, err } = since();
  expect(out).toBe(
    [
      '━━ Design ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━',
      '',
      'Codex of the team · gpt-5-codex',
      '  Said so.',
      '',
      '  design: consult 1 … settled in 2 s',
      '  took 1 s',
      '',
      '',
    ].join('\n'),
  );
  expect(err.endsWith(up)).toBe(true);
});

test('a pipe gets a sign of life after thirty seconds', async () => {
  const { screen, since, clock } = await open({});
  for (const event of events.slice(0, 3)) screen.push(event);
  since();
  await clock.advance(29_999);
  vi.advanceTimersByTime(1000);
  expect(since().err).toBe('');
  await clock.advance(1000);
  vi.advanceTimersByTime(999);
  expect(since().err).toBe('');
  vi.advanceTimersByTime(1);
  expect(since().err).toBe('still working on the design: 1 exchange open, 31 s so far\n');
  screen.close();
});

test('the live lines name the agents that can run, as the introduction does', () => {
  const workflow: WorkflowIntroduction = {
    kind: 'workflow',
    lead: { ...codex, displayName: 'Lead' },
    advisor: codex,
    fallback: null,
    branch: null,
    remark: null,
    apply: false,
    phases: [],
    notes: [],
    timeLimitMs: 1,
  };
  const missing = { kind: 'unavailable', code: 'auth', message: 'No.', hint: '' } as const;
  expect(agentNamesIn(workflow)).toEqual({ lead: 'Lead', advisor: 'Codex of the team' });
  expect(agentNamesIn({ ...workflow, lead: null, advisor: missing })).toStrictEqual({});
  expect(agentNamesIn({ ...workflow, lead: missing })).toStrictEqual({ advisor: 'Codex of the team' });
  expect(agentNamesIn({ ...facts, lead: 'user' })).toStrictEqual({ advisor: 'Codex of the team' });
});

// oxlint-disable-next-line no-unsafe-type-assertion -- what is asked of a run
const runOf = (kind: RunInput['kind']) => ({ input: { kind } }) as OpenedRun;
// oxlint-disable-next-line no-unsafe-type-assertion -- what is asked of an engine
const engineOf = (engine: Pick<Engine, 'events' | 'records'>) => engine as Engine;

/** Watches a run that yields these batches before the waiting settles, and has all records then. */
async function watched(
  kind: RunInput['kind'],
  batches: readonly (typeof events)[],
  flags = {},
  screen: Partial<Screen> = {},
) {
  const { session, printed } = sessionIn({ root: '/home/user/project', env: {} }, { screen });
  const asked: unknown[] = [];
  const engine = {
    async *events(run: unknown, after: number, signal: AbortSignal) {
      asked.push(run, after);
      for (const batch of batches) yield batch.map((event) => ({ event, text: '' }));
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    records: async () => events,
  };
  const run = runOf(kind);
  const value = await watchWhile({ ...session, engine: engineOf(engine) }, run, flags, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return 'over';
  });
  expect([value, asked, vi.getTimerCount()]).toEqual(['over', [run, 0], 0]);
  return printed();
}

test.each([
  ['review', {}, { out: '', err: progress }],
  ['consult', {}, { out: '', err: progress }],
  ['workflow', {}, { out: work, err: progress }],
  ['fix', { ascii: true }, { out: asciiWork, err: progress }],
  ['workflow', { format: 'json' }, { out: '', err: progress }],
] as const)('a %s of another process is shown once, with %j', async (kind, flags, shown) => {
  expect(await watched(kind, [events.slice(0, 2), [], events.slice(1, 4)], flags)).toEqual(shown);
  expect(await watched(kind, [], flags)).toEqual(shown);
});

test('a run of another process has live lines at a terminal', async () => {
  const { out, err } = await watched('workflow', [events], {}, terminal(true));
  expect(out).toMatch(/^━━ Design ━+\n\nCodex · gpt-5-codex\n {2}Said so\.\n/);
  expect(err).toContain('\u001b[?2026h');
});

test('a work that stops without its end is shown as far as it went', async () => {
  const { screen, since } = await open({ options: { verbose: true } });
  for (const event of events.slice(0, 1)) screen.push(event);
  screen.push(eventStream([{ type: 'text.delta', block_id: 'b', text: 'Said' }])[0] ?? failing());
  screen.close();
  expect(since().err).toBe(
    [
      '\n🚀 Claude Code: model=claude-opus-4-20250514, id=abc123\n',
      '\nSaid\n',
      '\n📊 duration_ms=0, cost_usd=0.000000, input_tokens=0, output_tokens=0, next_session_tokens=0\n',
    ].join(''),
  );
});

function failing(): never {
  throw new Error('no event');
}

test('a fault of the waiting or of the reading ends the watching', async () => {
  const { session, printed } = sessionIn({ root: '/', env: {} });
  const broken = {
    // oxlint-disable-next-line require-yield -- it breaks before
    async *events() {
      throw new Error('unreadable');
    },
    records: async () => events,
  };
  const watch = (waiting: () => Promise<unknown>) =>
    watchWhile({ ...session, engine: engineOf(broken) }, runOf('review'), {}, waiting);
  await expect(watch(async () => 'over')).rejects.toThrow('unreadable');
  await expect(watch(() => Promise.reject(new Error('gave up')))).rejects.toThrow('gave up');
  expect([printed().err, vi.getTimerCount()]).toEqual(['', 0]);
});
