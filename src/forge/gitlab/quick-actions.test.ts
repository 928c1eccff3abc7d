import { Parser } from 'commonmark';
import { expect, test } from 'vitest';
import { nodesOf } from '../../../test/fixtures/reports/read-reports.ts';
import { hostileBodies } from '../../views/rounds/hostile-bodies.test-helper.ts';
import { findingOn } from '../round/rounds.test-helper.ts';
import { findingMark } from '../round/marks.ts';
import { gitlabMarks, mergeRequestWith, publishOnGitlab } from './gitlab-rounds.test-helper.ts';
import { noteRequest } from './quick-actions.ts';

const actions: readonly string[] = [
  '/close',
  '/CLOSE',
  '  /merge',
  '/assign @root',
  '/label ~"bug"',
  '/approve\n/close',
  'text\n/close',
  '```\n/close\n```',
  '````\n```\nx\n```\n/close\n````',
  '~~~\n/close\n~~~',
  '> /close',
  '- a\n\n/close',
  'a\\\n/close',
  '>>>\n/close\n>>>',
  '<p>\n/close\n</p>',
  '[x]: y\n/close',
  '```suggestion:-0+5\n/close\n```',
];
const references: readonly string[] = [
  '!12',
  '#12',
  'shop/web!12',
  '&12',
  '~12 ~"bug"',
  '%12',
  '@all',
  '@group/team',
  '/cc @root',
  'https://gitlab.example/shop/till/-/issues/12',
  '```suggestion:-0+5\nrm -rf /\n```',
  '~~~suggestion:-100+100\n~~~',
];

/** A line that GitLab could carry out. */
const isAction = (line: string): boolean => /^\s*\/[a-z]/i.test(line);

test.each([...new Set([...actions, ...references, ...hostileBodies])])(
  '%j in a finding is text in all notes of GitLab',
  async (text) => {
    const files = { 'a.ts': text.split('\n') };
    const shared = { path: 'a.ts', line: 1, quote: text.split('\n')[0] ?? '', title: text, body: text };
    const found = [
      findingOn({ ...shared, evidence: text, remedy: text }),
      findingOn({ ...shared, title: `${text}2`, outside_change: true, path: 'b.ts' }),
    ];
    const world = await mergeRequestWith(files);
    await publishOnGitlab(world, 1, files, found);
    const bodies = world.discussions().flatMap(({ notes }) => notes.map(({ body }) => body));
    expect(bodies).toHaveLength(2);
    for (const body of bodies) {
      expect(body.split('\n').filter(isAction)).toEqual([]);
      const nodes = nodesOf(new Parser().parse(body));
      const blocks = nodes.filter(({ type }) => type === 'code_block').map(({ info }) => info ?? '');
      expect(blocks.filter((info) => info.includes('suggestion'))).toEqual([]);
      const prose = nodes.filter(({ type }) => type === 'text').map(({ literal }) => literal);
      expect(prose.join('\n')).not.toMatch(/@\w|[#!&%~]\d|https?:/);
    }
  },
);

test.each([
  ['a replacement', '  return cash / 2;', '  /usr/bin'],
  ['a block in it', '```', '```\nx\n```\n/close'],
])(
  '%s that GitLab could misread is shown as code, and its comment counts as one without a suggestion',
  async (_, plain, risky) => {
    const files = { 'a.ts': ['a', 'b'] };
    const on = (line: number, replacement: string) =>
      findingOn({ path: 'a.ts', line, quote: files['a.ts'][line - 1] ?? '', title: `T${line}`, replacement });
    const world = await mergeRequestWith(files);
    await publishOnGitlab(world, 1, files, [on(1, plain), on(2, risky)]);
    const notes = world.discussions().flatMap(({ notes: [first] }) => first?.body ?? []);
    const marked = notes.map((body) => [
      /suggestion:-0\+0/.test(body),
      gitlabMarks.read(findingMark, body)?.suggested ?? false,
    ]);
    expect(marked.slice(0, 2)).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(notes.join('\n').split('\n').filter(isAction)).toEqual([]);
  },
);

test('GitLab replaces 101 lines at most: a longer suggestion, which would leave the others, is shown as code', async () => {
  const lines = Array.from({ length: 103 }, (_, index) => `line${index}`);
  const suggests = async (start: number) => {
    const quote = lines.slice(start - 1, 102).join('\n');
    const on = findingOn({ path: 'a.ts', line: start, quote, end_line: 102, title: 'T', replacement: 'one' });
    const world = await mergeRequestWith({ 'a.ts': lines });
    await publishOnGitlab(world, 1, { 'a.ts': lines }, [on]);
    const body = world.discussions()[0]?.notes[0]?.body ?? '';
    return [/```suggestion.*/.exec(body)?.[0], gitlabMarks.read(findingMark, body)?.suggested ?? false];
  };
  expect(await suggests(2)).toEqual(['```suggestion:-100+0', true]);
  expect(await suggests(1)).toEqual([undefined, false]);
});

test('a comment whose text is too long, so that it has no suggestion, counts as one without', async () => {
  const files = { 'a.ts': ['a'] };
  const on = findingOn({ path: 'a.ts', line: 1, quote: 'a', replacement: 'b', body: 'Why? '.repeat(12_000) });
  const world = await mergeRequestWith(files);
  await publishOnGitlab(world, 1, files, [on]);
  const body = world.discussions()[0]?.notes[0]?.body ?? '';
  expect([body.includes('suggestion'), gitlabMarks.read(findingMark, body)]).toEqual([
    false,
    expect.not.objectContaining({ suggested: true }),
  ]);
});

test('a text without such a line is not touched', () => {
  const text = `A\n\n// a comment, a/b\n/ a\n/2`;
  expect(noteRequest({ path: 'x', text }).body).toEqual({ body: text });
});
