/** A person walks through the findings of a review: keys in, screens and exit codes out. */
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { shared } from '../../../test/fixtures/scratch-repository.ts';
import { changedRepository, reviewed } from '../reviewed.test-helper.ts';
import { atTerminal, collab, type SessionHow } from '../command.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';

const repository = shared(changedRepository);
beforeAll(async () => {
  await reviewed(repository());
});

const drawn = '\u001b[?2026h';

/** Presses the next key after each screen; resolves with the screens and what else was written. */
async function walk(keys: readonly string[], how: SessionHow = {}, rows = 24) {
  const written: string[] = [];
  const left = [...keys];
  const terminal = createTerminal([], {
    rows,
    screen: atTerminal,
    onWrite(text) {
      written.push(text);
      const key = text.startsWith(drawn) ? left.shift() : undefined;
      if (key !== undefined) setImmediate(() => terminal.type(key));
    },
  });
  const { code } = await collab(repository(), ['show', '-i'], { ...terminal.how, ...how });
  const screens = written
    .filter((text) => text.startsWith(drawn))
    .map((text) => stripVTControlCharacters(text).replaceAll('\r', ''));
  return { code, screens, written, raw: terminal.raw };
}

const first = 'Finding 1 of 2';
const second = 'Finding 2 of 2';
const titles = (screens: readonly string[]) => screens.map((screen) => screen.split('\n')[0]);

test('the keys walk forward and back, and the ends of the list are named', async () => {
  const { code, screens, written, raw } = await walk(['p', 'n', 'n', '\u001b[D', ' ', 'q']);
  expect(code).toBe(0);
  expect(titles(screens)).toEqual([first, first, second, second, first, second]);
  expect(screens[1]).toContain('\nthis is the first finding\n');
  expect(screens[3]).toContain('\nthis is the last finding\n');
  expect(screens[4]).not.toContain('this is the');
  expect(screens[2]).toContain('Text is run as code with eval');
  expect(screens[2]).toContain('  > 2 + eval(process.argv[2]);');
  expect([written[0], written.at(-1)]).toEqual(['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l']);
  expect(raw).toEqual([true, false]);
});

test('Esc leaves like q, Ctrl-C interrupts, and another key lists the keys', async () => {
  expect((await walk(['\u001b'])).code).toBe(0);
  const { code, screens } = await walk(['x', '\u0018', '\u001bn', '\u0003']);
  expect(code).toBe(130);
  for (const screen of screens.slice(1))
    expect(screen).toContain('n next, p previous, o open, f fix, d dismiss, c copy, q quit');
  expect(titles(screens)).toEqual([first, first, first, first]);
});

test('c copies the finding as a prompt for an agent', async () => {
  const { written, screens } = await walk(['n', 'c', 'q']);
  const copied = written.find((text) => text.startsWith('\u001b]52;c;')) ?? '';
  const text = Buffer.from(copied.slice(7, -1), 'base64').toString('utf8');
  expect(text).toContain('eval(process.argv[2]);');
  expect(text).not.toContain('export const a');
  expect(screens[2]).toContain('copied as a prompt for an agent, if the terminal allows it (OSC 52)');
});

test('a small screen is scrolled by a line, as far as there is more', async () => {
  const { screens } = await walk(
    ['k', 'j', '\u001b[B', '\u001b[A', 'k', ...Array(9).fill('j'), 'k', 'q'],
    {},
    8,
  );
  const tops = screens.map((screen) => screen.split('\n')[2]);
  expect(tops[1]).toBe(tops[0]);
  expect(new Set(tops.slice(1, 4)).size).toBe(3);
  expect([tops[4], tops[5]]).toEqual([tops[2], tops[0]]);
  expect(tops[14]).toBe(tops[13]);
  expect(tops[15]).not.toBe(tops[14]);
});

test('a signal and the end of the input leave with their exit codes', async () => {
  const stop = new AbortController();
  const stopped = walk([], { signal: stop.signal, endedBy: () => 'SIGTERM' });
  stop.abort(new Error('SIGTERM'));
  expect((await stopped).code).toBe(143);
  const before = AbortSignal.abort(new Error('SIGHUP'));
  expect((await walk([], { signal: before, endedBy: () => 'SIGHUP' })).code).toBe(129);
});
