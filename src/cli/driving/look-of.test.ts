import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { changedFiles, finding } from '../../../test/fixtures/reports/sample-report.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { colorCode } from '../../views/markdown/code-colors.ts';
import { renderMarkdown } from '../../views/markdown/terminal-markdown.ts';
import { createDiffContext } from '../../views/reports/diff-context.ts';
import { sessionIn } from '../command.test-helper.ts';
import { contextOfRun } from './context-of-run.ts';
import { lookOf } from './look-of.ts';
import { markdownAtTerminal } from './markdown-at-terminal.ts';
import { wrapLog } from './wrap-log.ts';

const screenOf = (out: boolean, color: boolean, movesCursor = true, columns = 80) => ({
  columns,
  interactive: { out, err: !out },
  color: { out: color, err: !color },
  movesCursor,
});

const runIn = (cwd: string, more: object = {}) =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- the parts of a run that are read
  ({ input: { kind: 'workflow', cwd }, ...more }) as unknown as OpenedRun;

test('a report at a terminal with colors links to the files of the project', async () => {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'src/a b.ts'), '');
  const look = await lookOf({ screen: screenOf(true, true) }, runIn(cwd));
  const { href } = pathToFileURL(join(cwd, 'src/a b.ts'));
  const addressOf = (more: object) => look?.addressOf?.(finding({ path: 'src/a b.ts', ...more }));
  expect(addressOf({})).toBe(`${href}#41`);
  expect(addressOf({ side: 'old' })).toBe(href);
  expect(addressOf({ path: 'src/none.ts' })).toBeNull();
  expect(look).toMatchObject({ table: true, renderMarkdown });
  const code = 'const a = 1;';
  expect(look?.colorsOf?.(code, 'src/a.ts')).toEqual(colorCode(code, 'ts'));
  expect(look?.colorsOf?.(code, null)).toEqual(colorCode(code, null));
  expect(colorCode(code, 'ts')).not.toEqual(colorCode(code, null));
});

test('without colors a report has its table alone, and a pipe the text alone', async () => {
  expect(await lookOf({ screen: screenOf(true, false) }, runIn(''))).toEqual({ table: true });
  expect(await lookOf({ screen: screenOf(false, true) }, runIn(''))).toBeUndefined();
  expect(await lookOf({ screen: screenOf(true, true, false) }, runIn(''))).toBeUndefined();
});

const words = (count: number) => 'word '.repeat(count).trim();

test('Markdown is rendered for a terminal, in lines that can be read', async () => {
  const render = async (columns: number, color = false) =>
    (await markdownAtTerminal({ screen: screenOf(true, color, true, columns) }))?.(
      `## RECOMMENDATION\n\n${'word '.repeat(30)}\n\n**so**`,
    ).split('\n');
  expect(await render(200)).toEqual(['Recommendation', '', words(20), words(10), '', 'so']);
  expect(await render(25)).toEqual(['Recommendation', '', ...Array(6).fill(words(5)), '', 'so']);
  expect((await render(24))?.[2]).toBe(words(4));
  expect((await render(200, true))?.at(-1)).toBe('\u001b[1mso\u001b[22m');
  expect(await markdownAtTerminal({ screen: screenOf(false, true) })).toBeNull();
  expect(await markdownAtTerminal({ screen: screenOf(true, true, false) })).toBeNull();
});

const change = async () => ({ counted: { files: changedFiles } });

test('the lines around a finding are those of the reviewed change', async () => {
  const review = runIn('', { input: { kind: 'review' }, change });
  const around = (await contextOfRun(review, 1))?.(finding());
  expect(around).toEqual(createDiffContext(changedFiles, 1)(finding()));
  expect(around).toHaveLength(3);
  expect(await contextOfRun(runIn('', { change }))).toBeNull();
});

test('a line of the log is broken between words, below its beginning', () => {
  const { session, printed } = sessionIn({ root: '/', env: {} }, { screen: { columns: 12 } });
  wrapLog(session)('one two three four');
  expect(printed().err).toBe('one two\n    three\n    four\n');
});
