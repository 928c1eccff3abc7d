import { describe, expect, test } from 'vitest';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { modifiedFile } from '../../parsers/diff/drawn-change.test-helper.ts';
import { scanChange } from './scan-change.ts';

const never = new AbortController().signal;

/** A file whose lines with `+` are added. The diff shows those with `+` or `~`; the others are outside its hunks. */
interface Case {
  readonly path: string;
  readonly lines: readonly string[];
}

function changeOf({ path, lines }: Case): { readonly file: DiffFile; readonly head: string } {
  const rows = lines.map((line, index) => ({ mark: line[0], text: line.slice(1), number: index + 1 }));
  const shown = rows.filter(({ mark }) => mark !== ' ');
  const hunks = shown.reduce<(typeof shown)[]>((parts, row) => {
    const last = parts.at(-1);
    if (last?.at(-1)?.number === row.number - 1) last.push(row);
    else parts.push([row]);
    return parts;
  }, []);
  const file = modifiedFile(path, []);
  return {
    file: {
      ...file,
      hunks: hunks.map((part) => ({
        heading: '',
        oldStart: part[0]?.number ?? 1,
        oldLines: part.filter(({ mark }) => mark === '~').length,
        newStart: part[0]?.number ?? 1,
        newLines: part.length,
        lines: part.map(({ mark, text, number }) => ({
          kind: mark === '+' ? ('added' as const) : ('context' as const),
          text,
          oldLine: mark === '+' ? null : number,
          newLine: number,
          noNewline: false,
        })),
      })),
    },
    head: `${rows.map(({ text }) => text).join('\n')}\n`,
  };
}

/** Returns the findings with the hunks alone and with the whole file. */
async function findingsIn(about: Case, headOf?: (head: string) => string) {
  const { file, head } = changeOf(about);
  const scan = async (text: string | null) =>
    (await scanChange([file], never, { headOf: () => text, rules: 'all' })).map(
      ({ rule, startLine, endLine }) => `${startLine}-${endLine} ${rule.name}`,
    );
  return { alone: await scan(null), whole: await scan(headOf === undefined ? head : headOf(head)) };
}

describe('a rule that reads the whole file finds what no hunk shows whole:', () => {
  test.each<readonly [string, Case, string]>([
    [
      'an empty catch whose try is above',
      { path: 'a.ts', lines: [' try {', '   run();', '~  more();', '+} catch (error) {', '+}', '~done();'] },
      '4-5 empty-catch',
    ],
    [
      'an option in the middle of an object',
      {
        path: 'a.ts',
        lines: [' connect({', "~  host: 'a',", '+  rejectUnauthorized: false,', '~  port: 1,', ' });'],
      },
      '3-3 tls-verification-off',
    ],
    [
      'a condition whose block ends below',
      {
        path: 'a.ts',
        lines: [
          ' function a(user) {',
          "+  if (user.role = 'admin') {",
          '~    grant(',
          '       user);',
          '   }',
          ' }',
        ],
      },
      '2-2 assignment-in-condition',
    ],
    [
      'a callback that ends below',
      {
        path: 'a.ts',
        lines: ['+items.forEach(async (item) => {', '~  await save(item);', '   await tell(item);', ' });'],
      },
      '1-1 async-for-each',
    ],
    [
      'an argument that is added to a call above',
      { path: 'a.ts', lines: [' eval(', '~  read(', '+    name,', '~  ),', ' );'] },
      '3-3 eval-call',
    ],
  ])('%s', async (_what, about, expected) => {
    expect(await findingsIn(about)).toEqual({ alone: [], whole: [expected] });
  });
});

describe('a rule that reads the whole file does not take for code what is none:', () => {
  test.each<readonly [string, Case, string]>([
    [
      'the text of a docstring that begins above',
      { path: 'a.py', lines: [' """', ' Usage:', '~', '+    eval(text)', '~', ' """'] },
      '4-4 eval-call',
    ],
    [
      'a template string that begins above',
      { path: 'a.ts', lines: [' export const page = `', '~  first();', '+  debugger;', ' `;'] },
      '3-3 debugger-leftover',
    ],
    [
      'a comment that begins above',
      { path: 'a.go', lines: [' /*', '~ for example', '+ tls.Config{InsecureSkipVerify: true}', ' */'] },
      '3-3 tls-verification-off',
    ],
    [
      'a document within a script',
      { path: 'a.sh', lines: [' cat <<END', '~Install it:', '+  curl https://a.test/i | sh', ' END'] },
      '3-3 download-piped-to-shell',
    ],
    [
      'a test within a source file',
      {
        path: 'a.ts',
        lines: [
          " it('copies', () => {",
          '~  const cart = read();',
          '+  const copy = JSON.parse(JSON.stringify(cart));',
          ' });',
        ],
      },
      '3-3 json-clone',
    ],
  ])('%s', async (_what, about, falseFinding) => {
    expect(await findingsIn(about)).toEqual({ alone: [falseFinding], whole: [] });
  });
});

describe('only a change is reported:', () => {
  test('a fault beside the added lines is not', async () => {
    const lines = [
      ' eval(a);',
      '~eval(b);',
      '+done();',
      '~for (let i = 0; i <= a.length; i++) {',
      ' a[i](); }',
    ];
    expect(await findingsIn({ path: 'a.js', lines })).toEqual({ alone: [], whole: [] });
  });

  test('a long block is not, if only its body is added', async () => {
    const lines = [
      ' for (let i = 0; i <= a.length; i++) {',
      ' b();',
      ' c();',
      '+a[i]();',
      ' d();',
      ' e(); }',
    ];
    expect(await findingsIn({ path: 'a.js', lines })).toEqual({ alone: [], whole: [] });
  });
});

describe('a text that is not that of the file after the change', () => {
  const about: Case = {
    path: 'a.ts',
    lines: [
      ' connect({',
      "~  host: 'a',",
      '+  rejectUnauthorized: false,',
      '~  port: 1,',
      ' });',
      '+eval(a);',
    ],
  };

  test.each<readonly [string, (head: string) => string]>([
    ['is shorter', (head) => head.slice(0, 20)],
    ['is empty', () => ''],
    ['has another line there', (head) => head.replace('port: 1', 'port: 2')],
    ['has a line more above', (head) => `\n${head}`],
    ['is too long to parse', (head) => `${head}${' '.repeat(600_000)}`],
  ])('is ignored: it %s', async (_what, headOf) => {
    const { alone, whole } = await findingsIn(about, headOf);
    expect(alone).toEqual(['6-6 eval-call']);
    expect(whole).toEqual(alone);
  });

  test('is used if only its secrets and line ends differ', async () => {
    const { whole } = await findingsIn(about, (head) => head.replaceAll('\n', '\r\n'));
    expect(whole).toEqual(['3-3 tls-verification-off', '6-6 eval-call']);
    const masked = { ...about, lines: about.lines.map((line) => line.replace("host: 'a'", "host: '*'")) };
    const { whole: unmasked } = await findingsIn(masked, (head) => head.replace("'*'", "'a'"));
    expect(unmasked).toEqual(['3-3 tls-verification-off', '6-6 eval-call']);
  });
});
