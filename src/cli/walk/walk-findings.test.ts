/** A person walks through the findings of a review: keys in, screens and exit codes out. */
import { stripVTControlCharacters } from 'node:util';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { finding, findings, report } from '../../../test/fixtures/reports/sample-report.ts';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder, scratchRepository, shared } from '../../../test/fixtures/scratch-repository.ts';
import { changedRepository, reviewed } from '../reviewed.test-helper.ts';
import { atTerminal, collab, sessionIn, type SessionHow } from '../command.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { walkFindings } from './walk-findings.ts';

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

/** Walks through findings of a run that is no review, with keys for what is shown; returns the end and the screens. */
async function walkThrough(
  result: ReturnType<typeof report>,
  person: readonly (readonly [shown: string, keys: string])[],
  { root = '', env = {}, ...more }: SessionHow & { root?: string } = {},
) {
  const screens: string[] = [];
  const terminal = createTerminal(person, {
    screen: atTerminal,
    onWrite: (text) => {
      if (text.startsWith(drawn)) screens.push(stripVTControlCharacters(text).replaceAll('\r', ''));
    },
  });
  const { session } = sessionIn({ root, env: {} }, { ...terminal.how, env, ...more });
  // oxlint-disable-next-line no-unsafe-type-assertion -- the parts of a run that a walk reads
  const run = { runId: 'r1', path: '', input: { kind: 'workflow', cwd: root } } as unknown as OpenedRun;
  const end = await walkFindings(session, run, result);
  /** The line above the keys. */
  const messages = screens.map((screen) => screen.split('\n').at(-3) ?? '');
  return { end, screens, messages, shown: terminal.shown(), raw: terminal.raw };
}

test('the worst finding comes first, and f leaves with the one that is shown', async () => {
  const { end, screens } = await walkThrough(report(), [
    ['Finding 1 of 4', '\t'],
    ['Finding 2 of 4', 'n'],
    ['Finding 3 of 4', '\u007f'],
    ['Finding 2 of 4', '\u001b[C'],
    ['Finding 3 of 4', 'f'],
  ]);
  expect(end).toEqual({ kind: 'fix', finding: findings[0] });
  expect(screens[0]).toContain('Total is rounded before tax');
});

test('o and Enter name what cannot be opened', async () => {
  const odd = finding({ path: 'no\u001b.ts' });
  const { end, messages } = await walkThrough(report({ findings: [odd] }), [
    ['Finding 1 of 1', 'o'],
    ['there is no such file here', '\r'],
    ['there is no such file here', 'q'],
  ]);
  expect(end).toEqual({ kind: 'left', code: 0 });
  const missing = 'no␛.ts: there is no such file here';
  expect(messages.slice(1)).toEqual([missing, missing]);
  const nowhere = await walkThrough(report({ findings: [finding({ path: null })] }), [
    ['Finding 1 of 1', 'o'],
    ['there is no such file here', 'q'],
  ]);
  expect(nowhere.messages[1]).toBe('a finding without a place: there is no such file here');
});

test('o opens the file in the editor, and the screen is back after it', async () => {
  const { root, write } = scratchRepository();
  write('src/checkout/total.ts', 'x');
  const { messages, raw } = await walkThrough(
    report({ findings: [finding()] }),
    [
      ['Finding 1 of 1', 'o'],
      ['set VISUAL', 'q'],
    ],
    { root },
  );
  expect(messages[1]).toBe('no editor: set VISUAL or EDITOR, such as EDITOR=vim');
  expect(raw).toEqual([true, false, true, false]);
});

test('d asks for a reason, and dismisses the finding with it', async () => {
  const { root, env } = scratchRepository();
  const asked = 'Why does f1 not count?';
  const { messages, shown } = await walkThrough(
    report({
      findings: [
        finding({ severity: 'minor', identity: 'a'.repeat(64) }),
        finding({ id: 'f0', identity: 'b'.repeat(64) }),
      ],
    }),
    [
      ['Finding 1 of 2', 'd'],
      ['Why does f0 not count?', 'So.\r'],
      ['Finding 1 of 2', 'n'],
      ['Finding 2 of 2', 'd'],
      [asked, '  \r'],
      ['Finding 2 of 2', 'd'],
      [asked, '\u0003'],
      ['Finding 2 of 2', 'd'],
      [asked, 'It is so.\r'],
      ['Finding 2 of 2', 'q'],
    ],
    { root, env },
  );
  expect(shown.replaceAll(/\s+/g, ' ')).toContain(
    ' f0 is not dismissed: it is Critical; Fix it, or write an entry with `severity: critical` and the reason into the suppression file yourself. n next',
  );
  const none = 'not dismissed: it needs a reason';
  expect(messages.slice(3, 5)).toEqual([none, none]);
  expect(shown.replaceAll(/\s+/g, ' ')).toMatch(
    / dismissed f1 in collab\.suppressions\.yaml and \S+; reviews read the file only by name: [^;]*; commit both files: a change is reviewed with those of its base n next/,
  );
  expect(readFileSync(join(root, 'collab.suppressions.yaml'), 'utf8')).toContain('It is so.');
});

test('a review without findings, and a session without a terminal, cannot be walked through', async () => {
  expect(await refusalOf(walkThrough(report({ findings: [] }), []))).toEqual({
    code: 'usage',
    message: 'r1 has no findings',
    hint: 'collab show r1',
  });
  const noTerminal = {
    code: 'usage',
    message: 'show -i needs a terminal',
    hint: 'collab show prints the findings',
  };
  const pipe = sessionIn({ root: scratchFolder(), env: {} }).session.stdin;
  for (const how of [
    { stdin: pipe },
    { screen: { interactive: { out: false, err: true } } },
    { screen: { ...atTerminal, movesCursor: false } },
  ])
    expect(await refusalOf(walkThrough(report(), [], how))).toEqual(noTerminal);
});

const long = (id: string) =>
  finding({
    id,
    path: null,
    body: Array.from({ length: 40 }, (_, index) => `- ${id}.${index}`).join('\n'),
  });

test('a finding keeps its place on the screen at the ends of the list, and the next one begins at its top', async () => {
  const { screens } = await walkThrough(report({ findings: [long('a'), long('b')] }), [
    ['Finding 1 of 2', 'jj'],
    ['Finding 1 of 2', 'j'],
    ['Finding 1 of 2', 'p'],
    ['this is the first finding', 'n'],
    ['Finding 2 of 2', 'q'],
  ]);
  const tops = screens.map((screen) => screen.split('\n')[2]);
  expect(tops[4]).toBe(tops[3]);
  expect(tops[1]).not.toBe(tops[0]);
  expect(tops.at(-1)).toBe(tops[0]?.replace('[a]', '[b]'));
});
