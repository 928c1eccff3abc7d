import { expect, onTestFinished, test, vi } from 'vitest';
import { createTerminal } from '../terminal.test-helper.ts';
import { openWalkScreen } from './walk-screen.ts';

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';

function opened(signal = new AbortController().signal) {
  const terminal = createTerminal([], { rows: 7, columns: 33 });
  const { stdin } = terminal.how;
  const { stdout } = process;
  const onResize = vi.fn<() => void>();
  const exits = process.listenerCount('exit');
  const screen = openWalkScreen({ stdin, signal }, onResize);
  /** The listeners that were added. */
  const listening = () => [
    process.listenerCount('exit') - exits,
    stdin.listenerCount('keypress'),
    stdin.listenerCount('end'),
    stdout.listenerCount('resize'),
  ];
  let isOpen = true;
  const close = () => {
    if (isOpen) screen.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { terminal, stdin, stdout, screen, onResize, listening, close };
}

/** Resolves when the keyboard has been read. */
const typed = () => new Promise((resolve) => setTimeout(resolve));

test('a screen is drawn from its first line, without what was there before', () => {
  const { terminal, screen, close, listening } = opened();
  expect([terminal.written(), terminal.raw, listening()]).toEqual([enter, [true], [1, 1, 1, 1]]);
  screen.draw(['one', 'two']);
  screen.send('\u0007');
  const drawn = '\u001b[?2026h\u001b[Hone\u001b[K\r\ntwo\u001b[K\u001b[J\u001b[?2026l';
  expect(terminal.written()).toBe(`${enter}${drawn}\u0007`);
  expect(screen.size()).toEqual({ rows: 7, columns: 33 });
  close();
  expect([terminal.written(), terminal.raw]).toEqual([`${enter}${drawn}\u0007${leave}`, [true, false]]);
  expect(listening().map((count, index) => (index === 0 || index === 3 ? count : 0))).toEqual([0, 0, 0, 0]);
});

test('keys are kept until they are asked for, one by one', async () => {
  const { terminal, screen, stdin } = opened();
  terminal.type('ab');
  await typed();
  expect(await screen.key()).toMatchObject({ sequence: 'a', name: 'a', ctrl: false });
  expect(await screen.key()).toMatchObject({ sequence: 'b', name: 'b' });
  const next = screen.key();
  terminal.type('\u0003');
  expect(await next).toMatchObject({ sequence: '\u0003', name: 'c', ctrl: true });
  const odd = screen.key();
  stdin.emit('keypress', undefined, { name: 'odd' });
  expect(await odd).toEqual({ sequence: '', name: 'odd' });
});

test('the end of the keyboard is the end of the keys, after those that were typed', async () => {
  const { terminal, screen, stdin } = opened();
  terminal.type('a');
  stdin.push(null);
  await typed();
  await typed();
  expect((await screen.key())?.name).toBe('a');
  expect(await screen.key()).toBeNull();
  expect(await screen.key()).toBeNull();
});

test('a signal ends the keys, also while one is waited for', async () => {
  const stop = new AbortController();
  const { screen, close } = opened(stop.signal);
  const next = screen.key();
  stop.abort();
  expect([await next, await screen.key()]).toEqual([null, null]);
  close();
  expect(await opened(AbortSignal.abort()).screen.key()).toBeNull();
});

test('a closed screen does not hear the signal', async () => {
  const stop = new AbortController();
  const remove = vi.spyOn(stop.signal, 'removeEventListener');
  const { close } = opened(stop.signal);
  close();
  expect(remove.mock.calls.map(([name]) => name)).toEqual(['abort']);
});

test('a lent terminal is that of before, and is taken back whatever happens', async () => {
  const { terminal, screen, listening, onResize, stdin, stdout } = opened();
  const lent: unknown[] = [];
  const value = await screen.lend(async () => {
    lent.push(terminal.written(), [...terminal.raw], listening()[0], listening()[3], stdin.isPaused());
    stdout.emit('resize');
    return 'done';
  });
  expect([value, lent]).toEqual(['done', [enter + leave, [true, false], 0, 0, true]]);
  expect([terminal.written(), terminal.raw, listening()]).toEqual([
    enter + leave + enter,
    [true, false, true],
    [1, 1, 1, 1],
  ]);
  expect([onResize.mock.calls, stdin.isPaused()]).toEqual([[], false]);
  await expect(screen.lend(() => Promise.reject(new Error('no editor')))).rejects.toThrow('no editor');
  expect(terminal.raw).toEqual([true, false, true, false, true]);
  stdout.emit('resize');
  expect(onResize.mock.calls).toHaveLength(1);
});

test('a process that ends leaves the screen as it was', () => {
  const { terminal } = opened();
  const restore = process.listeners('exit').at(-1);
  restore?.call(process, 0);
  expect(terminal.written()).toBe(enter + leave);
});
