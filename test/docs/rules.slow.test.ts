/**
 * `npm run rules` counts the clauses that tests name. Here it counts in a small tree with faults. The titles of that tree are in «», so that
 * they do not count as titles of this file.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = join(import.meta.dirname, '../../scripts/rules.mjs');
const page = `# Rules

- R001-1 One clause.
- X001-1 Words for both: ① the first, ② the second. *[② superseded by a decision]*

| id | event | fields |
| --- | --- | --- |
| R002-39 | \`error\` | ① its types, ② its \`recoverable\` |
`;
const whole = {
  'references/requirements.md': page,
  'test/clauses.json': JSON.stringify({
    impossible: { 'X001-1.2': 'superseded' },
    unproved: [],
    inProcess: { 'R001-1': 'too slow' },
  }),
  'src/a.test.ts': 'test(«R001-1 X001-1.1 is so»);\ntest.each([[«R002-39.1-2 both»]]);\n',
  'test/packed/packed-collab.ts': '',
  'test/packed/place.ts': 'import {\n  install,\n} from «./packed-collab.ts»;\n',
  'test/lived/a.test.ts':
    'import { place } from «../packed/place.ts»;\ntest(«X001-1.1 R002-39.1 is lived»);\n',
};
/** Alone, so that no literal here begins with it. */
const rule = 'X001-1';
const sum = [
  '4 of 5 clauses of 3 rules are named by a test; 0 are unproved, 1 have no test for a reason',
  '2 of 3 rules are named by a test of the packed program; 1 have none for a reason',
];

test('a tree whose clauses are named or listed passes', () => {
  expect(rules(whole)).toEqual({ status: 0, lines: sum });
});

test.each<[string, Record<string, string>, string]>([
  ['a clause without a test', { 'src/a.test.ts': 'test(«R001-1 R002-39 X001-1: is so»);' }, ''],
  [
    'a clause that lost its test',
    { 'src/a.test.ts': 'test(«R001-1 R002-39.1 a»);\ntest(«X001-1.1 a»);' },
    'no test names R002-39.2: `error` | ① its types, ② its `recoverable`',
  ],
  [
    'a title with an unknown clause',
    { 'web/src/b.test.tsx': 'test(«R001-1.2 X001-9 a»);' },
    'no clause R001-1.2: R001-1.2 X001-9 a',
  ],
  [
    'a title with four rules',
    { 'test/b.test.ts': 'test(«R001-1 X001-1.1 R002-39 R001-1 a»);' },
    'more than three rules: R001-1 X001-1.1 R002-39 R001-1 a',
  ],
  [
    'a listed clause that does not exist',
    { 'test/clauses.json': '{"impossible":{"X001-1.2":"so"},"unproved":["X001-1.3"],"inProcess":{}}' },
    'test/clauses.json: no clause X001-1.3',
  ],
  [
    'a rule that only a test in its process names',
    { 'test/lived/a.test.ts': 'test(«X001-1.1 R002-39.1 is not lived»);\n' },
    'no test of the packed program names R002-39: `error` | ① its types',
  ],
  [
    'a rule whose test takes nothing but a type from the packed program',
    {
      'test/lived/a.test.ts':
        'import type { Place } from «../packed/place.ts»;\ntest(«X001-1.1 R002-39.1 is not lived»);\n',
    },
    'no test of the packed program names X001-1: Words for both',
  ],
  [
    'a reason for a rule that such a test names',
    {
      'test/clauses.json':
        '{"impossible":{"X001-1.2":"so"},"unproved":[],"inProcess":{"R001-1":"so","R002-39":"so"}}',
    },
    'test/clauses.json lists R002-39, which a test of the packed program names: npm run rules -- --write',
  ],
  [
    'a reason for a rule that does not exist',
    { 'test/clauses.json': '{"impossible":{},"unproved":[],"inProcess":{"R009-1":"so"}}' },
    'test/clauses.json: no rule R009-1',
  ],
  [
    'a gap in the numbers',
    { 'references/requirements.md': page.replace('② the', '③ the') },
    `${rule}: its clauses are not numbered ①, ②, …`,
  ],
])('%s is a fault', (_what, change, fault) => {
  const { status, lines } = rules({ ...whole, ...change });
  expect(status).toBe(1);
  expect(lines.join('\n')).toContain(
    fault === '' ? 'test/clauses.json lists X001-1.2, which a test names' : fault,
  );
});

test('--write removes the entries that a test names, and adds none', () => {
  const root = treeOf({
    ...whole,
    'test/clauses.json':
      '{"impossible":{"X001-1.2":"so"},"unproved":["R001-1"],"inProcess":{"R001-1":"slow","R002-39":"so"}}',
    'src/a.test.ts': 'test(«R001-1 is so»);',
  });
  execFileSync(process.execPath, [script, '--root', root, '--write']);
  expect(JSON.parse(readFileSync(join(root, 'test/clauses.json'), 'utf8'))).toEqual({
    impossible: { 'X001-1.2': 'so' },
    unproved: [],
    inProcess: { 'R001-1': 'slow' },
  });
});

test('--table prints each rule with its tests of the packed program, or the reason for none', () => {
  const proof = ['test/lived/a.test.ts', ['X001-1.1', 'R002-39.1', 'is lived'].join(' ')];
  expect(rules(whole, '--table').lines.map((line) => line.split(': '))).toEqual([
    ['R001-1', 'too slow'],
    [rule, ...proof],
    ['R002-39', ...proof],
  ]);
});

test('--draw prints the whole text of clauses with their tests, the same for the same seed', () => {
  const drawn = rules(whole, '--draw', '2', '--seed', 'x');
  expect(drawn).toEqual(rules(whole, '--draw', '2', '--seed', 'x'));
  expect(rules(whole, '--draw', '5', '--seed', 'x').lines).toEqual(
    expect.arrayContaining([
      'seed x',
      `${rule}.1 of: Words for both: ① the first, ② the second. *[② superseded by a decision]*`,
      '  src/a.test.ts: R001-1 X001-1.1 is so',
    ]),
  );
});

test.each(['many', '0', '1.5'])('--draw %s is refused', (count) => {
  const { status, lines } = rules(whole, '--draw', count);
  expect({ status, lines }).toEqual({
    status: 1,
    lines: [`--draw ${count} is not a number of clauses: npm run rules -- --draw 5`],
  });
});

function rules(files: Record<string, string>, ...args: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, [script, '--root', treeOf(files), ...args], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

function treeOf(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'collab-rules-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text.replaceAll(/[«»]/g, "'"));
  }
  return root;
}
