import { expect, onTestFinished, test, vi } from 'vitest';
import { createManualClock } from '../system/manual-clock.test-helper.ts';
import { killTrackedGroups } from '../system/process-group.ts';
import { createSession, type EndingSignal } from './session.ts';

/** A session of this process, and the exit codes with which it was ended. */
function opened(clock = createManualClock()) {
  const session = createSession(clock);
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exited');
  });
  onTestFinished(() => {
    session.close();
    exit.mockRestore();
    process.off('exit', killTrackedGroups);
    for (const stream of [process.stdout, process.stderr])
      // oxlint-disable-next-line no-unsafe-type-assertion -- the one that the session added
      stream.off('error', stream.listeners('error').at(-1) as () => void);
  });
  return { session, clock, exits: exit.mock.calls };
}

test('the first Ctrl-C, even if it arrives twice, shuts down; a later one exits immediately', async () => {
  const { session, clock, exits } = opened();
  expect([session.signal.aborted, session.endedBy()]).toEqual([false, null]);
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGINT', 'SIGINT');
  expect([session.signal.aborted, session.endedBy(), exits]).toEqual([true, 'SIGINT', []]);
  expect(session.signal.reason).toEqual(new Error('SIGINT'));
  await clock.advance(1000);
  process.emit('SIGTERM', 'SIGTERM');
  expect([session.endedBy(), exits]).toEqual(['SIGINT', []]);
  await clock.advance(1);
  expect(() => process.emit('SIGTERM', 'SIGTERM')).toThrow('exited');
  expect(exits).toEqual([[130]]);
});

test.each<readonly [EndingSignal, number]>([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('%s shuts down too, and then ends with %d', async (name, code) => {
  const { session, clock, exits } = opened();
  process.emit(name, name);
  expect([session.signal.aborted, session.endedBy(), exits]).toEqual([true, name, []]);
  await clock.advance(1001);
  expect(() => process.emit(name, name)).toThrow('exited');
  expect(exits).toEqual([[code]]);
});

test('while it is held, Ctrl-C alone calls the last holder', () => {
  const { session } = opened();
  const stopped: string[] = [];
  const release = session.holdInterrupt(() => stopped.push('outer'));
  const releaseInner = session.holdInterrupt(() => stopped.push('inner'));
  process.emit('SIGINT', 'SIGINT');
  releaseInner();
  process.emit('SIGINT', 'SIGINT');
  expect([stopped, session.signal.aborted]).toEqual([['inner', 'outer'], false]);
  process.emit('SIGTERM', 'SIGTERM');
  expect([stopped, session.endedBy()]).toEqual([['inner', 'outer'], 'SIGTERM']);
  release();
});

test('a released Ctrl-C shuts down again, and a closed session hears no signal', () => {
  const { session } = opened();
  session.holdInterrupt(() => undefined)();
  process.emit('SIGINT', 'SIGINT');
  expect(session.endedBy()).toBe('SIGINT');
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const before = names.map((name) => process.listenerCount(name));
  session.close();
  expect(names.map((name) => process.listenerCount(name))).toEqual(before.map((count) => count - 1));
});

test('the end of the process ends the commands that it started', () => {
  const before = process.listeners('exit').filter((listener) => listener === killTrackedGroups).length;
  opened();
  const after = process.listeners('exit').filter((listener) => listener === killTrackedGroups).length;
  expect(after).toBe(before + 1);
});

test('a closed reader is no fault; an output that cannot be written is one', () => {
  opened();
  for (const stream of [process.stdout, process.stderr]) {
    const listener = stream.listeners('error').at(-1);
    for (const code of ['EPIPE', 'EIO'])
      expect(listener?.call(stream, Object.assign(new Error('gone'), { code }))).toBeUndefined();
    const full = Object.assign(new Error('ENOSPC: full'), { code: 'ENOSPC' });
    expect(() => listener?.call(stream, full)).toThrow(
      expect.objectContaining({
        code: 'internal',
        message: 'the output cannot be written: ENOSPC: full',
        hint: 'check its redirection; collab show prints the report again',
        cause: full,
      }),
    );
  }
});

/** Sets what this process knows of an output. */
function output(name: 'stdout' | 'stderr', { columns, isTTY }: { columns?: number; isTTY?: boolean }) {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  // oxlint-disable-next-line no-unsafe-type-assertion -- what a session uses of an output
  const stream = { columns, isTTY, write, on: () => stream, listeners: () => [], off: () => stream } as never;
  const spy = vi.spyOn(process, name, 'get').mockReturnValue(stream);
  onTestFinished(() => spy.mockRestore());
  return written;
}

test.each([
  [{ columns: 120 }, { columns: 90 }, 120],
  [{ columns: 0 }, { columns: 90 }, 90],
  [{}, { columns: 90 }, 90],
  [{}, {}, 80],
  [{ columns: 0 }, { columns: 0 }, 80],
])('the width is that of standard output %j, else of standard error %j', (out, err, columns) => {
  output('stdout', out);
  output('stderr', err);
  expect(opened().session.screen.columns).toBe(columns);
});

test('the environment decides what may be colored and whether the cursor moves', () => {
  for (const [name, value] of Object.entries({ FORCE_COLOR: undefined, NO_COLOR: '', TERM: 'xterm' }))
    vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  output('stdout', { isTTY: false });
  output('stderr', { isTTY: true });
  expect(opened().session.screen).toMatchObject({
    color: { out: false, err: true },
    interactive: { out: false, err: true },
    movesCursor: true,
  });
  vi.stubEnv('TERM', 'dumb');
  expect(opened().session.screen).toMatchObject({ color: { out: false, err: false }, movesCursor: false });
});

test('a session writes to the outputs of its process, and breaks commands in the log of a CI job', () => {
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  onTestFinished(() => void vi.unstubAllEnvs());
  const [out, err] = [output('stdout', {}), output('stderr', {})];
  const { session } = opened();
  session.out('::error::a\n');
  session.err('::error::a\n');
  expect([session.cwd, session.env, session.stdin, out.join('')]).toEqual([
    process.cwd(),
    process.env,
    process.stdin,
    '::error::a\n',
  ]);
  expect(err.join('')).not.toMatch(/^::error::/);
  expect(err.join('')).toContain('error::a');
});
