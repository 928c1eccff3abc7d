/** The modules of the terminal cost nothing where they are not needed: V8's coverage tells which modules were loaded. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { smallDiff } from '../../src/runs/rehearsed-review.test-helper.ts';
import { test, type Place } from '../packed/place.ts';
import { openTerminal } from '../packed/terminal.ts';

/** Names of modules, as the bundle spells them. */
const terminalModules = [
  'approve_at_terminal',
  'ask_at_terminal',
  'choose',
  'code_colors',
  'edited_input',
  'input_menu',
  'introduction_block',
  'live_lines',
  'live_region',
  'live_screen',
  'live_work',
  'lowlight',
  'pick_conversation',
  'talk',
  'talk_screen',
  'terminal_markdown',
  'walk_findings',
  'walk_screen',
  'watch_run',
];

const rangeSchema = z.object({ startOffset: z.int(), endOffset: z.int(), count: z.int() });
const coverageSchema = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(z.object({ functionName: z.string(), ranges: z.array(rangeSchema) })),
    }),
  ),
});

function coverageFolder(place: Place): string {
  const folder = join(place.folder, '../coverage');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Returns the scripts that ran, in all processes that wrote into the folder. */
function scriptsIn(folder: string): z.infer<typeof coverageSchema>['result'] {
  return readdirSync(folder).flatMap((name) => {
    return coverageSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))).result;
  });
}

/** Says whether a function of this name was called. */
function wasCalled(folder: string, name: string): boolean {
  const functions = scriptsIn(folder).flatMap((script) => script.functions);
  return functions.some(
    ({ functionName, ranges: [whole] }) => functionName === name && (whole?.count ?? 0) > 0,
  );
}

/** Returns the modules that were loaded. */
function loadedModules(folder: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  for (const { url, functions } of scriptsIn(folder)) {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (!file.endsWith('.cjs') || !existsSync(file)) continue;
    const called = new Map(
      functions.flatMap(({ ranges: [whole] }) =>
        whole === undefined ? [] : [[whole.startOffset, whole.count] as const],
      ),
    );
    for (const { 0: begin, 1: module = '', index } of readFileSync(file, 'latin1').matchAll(
      /\binit_(\w+?)(?:\$\d+)?=__esmMin\(\(?/g,
    ))
      if ((called.get(index + begin.length) ?? 0) > 0) loaded.add(module);
  }
  return loaded;
}

test.for([
  ['--version', ['--version']],
  ['--help', ['--help']],
  ['static_review', ['review', 'change.diff', '--advisor', 'static_review', '--no-cache']],
] as const)('%s on a pipe loads no module of the terminal', async ([name, args], { place, expect }) => {
  place.write('change.diff', smallDiff);
  const folder = coverageFolder(place);
  const { code } = await place.collab([...args], { env: { NODE_V8_COVERAGE: folder } });
  expect(code).toBe(0);
  expect(readdirSync(folder)).not.toEqual([]);
  const loaded = loadedModules(folder);
  // The measure sees modules that are loaded.
  if (name === 'static_review') expect(loaded).toContain('terminal_report');
  expect(terminalModules.filter((module) => loaded.has(module))).toEqual([]);
});

test('a review on a pipe without emoji or wide letters makes no segmenter', async ({ place, expect }) => {
  place.write('change.diff', smallDiff);
  place.write('count.cjs', countsSegmenters);
  const made = join(place.folder, 'made.txt');
  const env = { NODE_OPTIONS: `--require=${join(place.folder, 'count.cjs')}`, MADE: made };
  const args = ['--advisor', 'static_review', '--no-cache'];
  expect(await place.collab(['review', 'change.diff', ...args], { env })).toMatchObject({ code: 0 });
  expect(existsSync(made)).toBe(false);
  place.write('wide.diff', smallDiff.replaceAll('total', '合計'));
  await place.collab(['review', 'wide.diff', ...args], { env });
  expect(existsSync(made)).toBe(true);
});

const countsSegmenters = `
const { writeFileSync } = require('node:fs');
Intl.Segmenter = class extends Intl.Segmenter {
  constructor(...options) {
    super(...options);
    writeFileSync(process.env.MADE, 'one');
  }
};
`;

test('a review on a pipe without emoji or wide letters makes no pattern of all emoji', async ({
  place,
  expect,
}) => {
  const folder = coverageFolder(place);
  const args = ['--advisor', 'static_review', '--no-cache'];
  const env = { NODE_V8_COVERAGE: folder };
  place.write('change.diff', smallDiff);
  expect(await place.collab(['review', 'change.diff', ...args], { env })).toMatchObject({ code: 0 });
  expect(wasCalled(folder, 'displayWidth')).toBe(true);
  expect(wasCalled(folder, 'rgiEmoji')).toBe(false);
  place.write('wide.diff', smallDiff.replaceAll('total', '合計'));
  await place.collab(['review', 'wide.diff', ...args], { env });
  expect(wasCalled(folder, 'rgiEmoji')).toBe(true);
});

test('the same review at a terminal loads the live lines', async ({ place, expect }) => {
  place.write('change.diff', smallDiff);
  const folder = coverageFolder(place);
  const args = ['review', 'change.diff', '--advisor', 'static_review', '--no-cache'];
  const terminal = await openTerminal(place, args, { env: { NODE_V8_COVERAGE: folder } });
  await terminal.sees('left with 0');
  expect([...loadedModules(folder)]).toEqual(expect.arrayContaining(['live_region', 'live_lines']));
});
