/** Reads made-up folders in the formats of public benchmark sets. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { QualityError } from '../../bench/quality/sets/benchmark-set.ts';
import { chooseChanges, loadSet } from '../../bench/quality/sets/load-set.ts';
import { scratchFolder } from '../fixtures/scratch-repository.ts';

const pull = 'https://github.com/acme/shop/pull/12';
const placeless = { path: null, start_line: null, end_line: null };
const rest = { side: 'new', severity: [], words: [] };

const aacr = [
  {
    change_line_count: 8,
    project_main_language: 'Go',
    source_commit: 'aaaaaaaaaaaa',
    target_commit: 'bbbbbbbbbbbb',
    githubPrUrl: pull,
    category: 'Feature',
    comments: [
      {
        is_ai_comment: true,
        note: 'The lock stays held.',
        path: 'cache.go',
        side: 'right',
        source_model: 'm',
        from_line: 9,
        to_line: 7,
        category: 'Code Defect',
        context: 'Diff Level',
      },
      { note: 'Gone.', path: 'old.go', side: 'left', from_line: null, to_line: 3 },
    ],
  },
];

test('AACR-Bench: sides, lines in either order, and the commits of a clone', () => {
  const folder = setFolder({ 'dataset/positive_samples.json': aacr, 'clones/acme__shop/.keep': '' });
  expect(loadSet(folder)).toEqual({
    format: 'AACR-Bench',
    changes: [
      {
        name: 'acme__shop__12__bbbbbbb',
        source: {
          kind: 'commits',
          clone: join(folder, 'clones/acme__shop'),
          base: 'aaaaaaaaaaaa',
          head: 'bbbbbbbbbbbb',
        },
        faults: [
          { ...rest, id: '1', text: 'The lock stays held.', path: 'cache.go', start_line: 7, end_line: 9 },
          { ...rest, id: '2', text: 'Gone.', path: 'old.go', start_line: 3, end_line: 3, side: 'old' },
        ],
      },
    ],
  });
});

test("Qodo's benchmark: JSON Lines, where line 0 means that the line is unknown", () => {
  const issues = [
    {
      title: 'Race',
      description: 'Two writers.',
      file_path: 'a.ts',
      start_line: 4,
      end_line: 6,
      rule_name: '',
    },
    { title: 'Style', description: null, file_path: '', start_line: 0, end_line: 0 },
  ];
  const row = JSON.stringify({ repo: 'shop', pr_url_to_review: pull, issues });
  const folder = setFolder({
    'git_code_review_bench_100_w_open_prs.jsonl': `${row}\n\n`,
    'diffs/acme__shop__12.diff': 'diff',
  });
  expect(loadSet(folder)).toEqual({
    format: 'Qodo PR-Review-Bench',
    changes: [
      {
        name: 'acme__shop__12',
        source: { kind: 'diff', file: join(folder, 'diffs/acme__shop__12.diff') },
        faults: [
          { ...rest, id: '1', text: 'Race\nTwo writers.', path: 'a.ts', start_line: 4, end_line: 6 },
          { ...rest, ...placeless, id: '2', text: 'Style' },
        ],
      },
    ],
  });
});

test("Martian's bench: comments without places, its four severities in our three", () => {
  const comments = ['Critical', 'High', 'Medium', 'Low', 'Odd'].map((severity) => ({
    comment: severity,
    severity,
  }));
  const folder = setFolder({ 'offline/golden_comments/shop.json': [{ pr_title: 'A', url: pull, comments }] });
  const [change] = loadSet(folder).changes;
  expect(change).toMatchObject({ name: 'acme__shop__12', source: null });
  expect(change?.faults[0]).toEqual({
    ...rest,
    ...placeless,
    id: '1',
    text: 'Critical',
    severity: ['critical'],
  });
  expect(change?.faults.map(({ severity }) => severity)).toEqual([
    ['critical'],
    ['critical', 'important'],
    ['important', 'minor'],
    ['minor'],
    [],
  ]);
});

test.each([
  ['a missing folder', null, /there is no folder/],
  ['an unknown format', { 'readme.md': '' }, /the format of .* is unknown/],
  ['a file that is not JSON', { 'positive_samples.json': '[{' }, /positive_samples\.json is not JSON/],
  [
    'a missing field',
    { 'positive_samples.json': [{ ...aacr[0], target_commit: undefined }] },
    /0\.target_commit/,
  ],
  ['a line of JSON Lines', { 'git_code_review_bench_100_w_open_prs.jsonl': '\n{}' }, /\.jsonl:2: pr_url/],
  ['a known fault without its diff', { 'a.diff': '', 'b.json': {} }, /a\.json cannot be read/],
  [
    'an address of no pull request',
    { 'golden_comments/a.json': [{ url: 'https://a.example', comments: [] }] },
    /is no pull request/,
  ],
  [
    'a change that is listed twice',
    { 'positive_samples.json': [aacr[0], aacr[0]] },
    /lists acme__shop__12__bbbbbbb twice/,
  ],
  ['a set without a change', { 'positive_samples.json': [] }, /has no change/],
])('%s is refused by name', (_, files, message) => {
  const folder = files === null ? join(scratchFolder(), 'none') : setFolder(files);
  expect(() => loadSet(folder)).toThrow(message);
  expect(() => loadSet(folder)).toThrow(QualityError);
});

test('changes are chosen by name and by number', () => {
  const changes = ['a', 'b', 'c'].map((name) => ({ name, source: null, faults: [] }));
  const names = (only: readonly string[] | null, limit: number | null) =>
    chooseChanges(changes, { only, limit }).map(({ name }) => name);
  expect(names(null, 2)).toEqual(['a', 'b']);
  expect(names(['c', 'a'], null)).toEqual(['a', 'c']);
  expect(() => names(['d'], null)).toThrow('no such change: d');
});

function setFolder(files: Readonly<Record<string, unknown>>): string {
  const folder = scratchFolder();
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}
