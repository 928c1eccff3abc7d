import { describe, expect, test } from 'vitest';
import type { Finding } from '../../events/collab-event.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { shortIdentity, type MarkedFinding, type RoundState } from './marks.ts';
import { planRound, type OwnThread, type RoundFacts } from './plan-round.ts';
import { diffOf, findingOn, headOf, roundResult } from './rounds.test-helper.ts';

const files = { 'a.ts': ['const one = 1;', 'const two = 2;'] };
const onOne = findingOn({ path: 'a.ts', line: 1, quote: 'const one = 1;', title: 'One' });
const onTwo = findingOn({ path: 'a.ts', line: 2, quote: 'const two = 2;', title: 'Two', severity: 'minor' });

function threadOf(finding: Finding, more: Partial<OwnThread> = {}): OwnThread {
  const { identity, severity, title, path, quote, anchor, side } = finding;
  const marked: MarkedFinding = {
    identity,
    severity,
    title,
    path,
    quote,
    side,
    round: 1,
    assurance: 'model',
    ...(anchor === undefined ? {} : { anchor }),
  };
  const id = `thread of ${finding.title}`;
  return {
    id,
    commentId: '1',
    url: 'https://h/1',
    body: '',
    finding: marked,
    isResolved: false,
    isAnswered: false,
    dismissed: null,
    ...more,
  };
}

function plan(found: readonly Finding[], more: Partial<RoundFacts> = {}) {
  return planRound({
    result: roundResult(files, found),
    head: headOf(2),
    files: parseUnifiedDiff(diffOf(files)).files,
    threads: [],
    last: null,
    dismissed: [],
    ...more,
  });
}

const first: RoundState = plan([]).state;
const places = ({ findings }: ReturnType<typeof plan>) => findings.map(({ at }) => at);

test('the first round posts every finding, Minor too', () => {
  expect(places(plan([onOne, onTwo]))).toEqual(['comment', 'comment']);
});

test('from the second round on, no new Minor on unchanged lines; other severities, and those on new lines, are posted', () => {
  const last = { ...first, head: headOf(1) };
  expect(places(plan([onOne, onTwo], { last }))).toEqual(['comment', 'held_back']);
  const before = plan([], { files: parseUnifiedDiff(diffOf({ 'a.ts': ['const one = 1;'] })).files }).state;
  expect(places(plan([onTwo], { last: before }))).toEqual(['comment']);
});

test('a line that only a rebase indented or moved to another file is unchanged', () => {
  const moved = { 'b.ts': ['  const two  = 2;'] };
  const found = findingOn({ path: 'b.ts', line: 1, quote: '  const two  = 2;', severity: 'minor' });
  const facts = { files: parseUnifiedDiff(diffOf(moved)).files, result: roundResult(moved, [found]) };
  expect(places(plan([], { ...facts, last: first }))).toEqual(['held_back']);
});

test('the last round of a change with too many lines holds back nothing', () => {
  const long = { 'a.ts': Array.from({ length: 5001 }, (_, index) => `line ${index}`) };
  const { state } = plan([], { files: parseUnifiedDiff(diffOf(long)).files });
  expect(state.lines).toBeNull();
  expect(places(plan([onTwo], { last: state }))).toEqual(['comment']);
});

test('a round counts heads: the same head again is the same round', () => {
  expect(plan([], { last: { ...first, round: 4, head: headOf(2) } }).state.round).toBe(4);
  expect(plan([], { last: { ...first, round: 4, head: headOf(1) } }).state.round).toBe(5);
});

test.each<[string, Partial<RoundFacts>, 'resolve' | 'kept']>([
  ['its line is gone', { files: parseUnifiedDiff(diffOf({ 'a.ts': ['const two = 2;'] })).files }, 'resolve'],
  ['the change has its file no more', { files: [], result: roundResult({}, []) }, 'resolve'],
  ['its line is there, and the review did not report it', {}, 'kept'],
  [
    'its line is in another file',
    { files: parseUnifiedDiff(diffOf({ 'b.ts': ['const one = 1;'] })).files },
    'kept',
  ],
  [
    'the review did not look at the file',
    {
      files: parseUnifiedDiff(diffOf({ 'a.ts': ['const two = 2;'] })).files,
      result: roundResult(files, [], {
        coverage: {
          ...roundResult(files, []).coverage,
          files: [{ path: 'a.ts', status: 'failed', reason: 'time', receipts: [] }],
        },
      }),
    },
    'kept',
  ],
  ['the host does not send the change', { files: null }, 'kept'],
])('a thread without its finding: %s', (_, facts, expected) => {
  const thread = threadOf(onOne);
  const { resolve, kept } = plan([], { threads: [thread], last: first, ...facts });
  expect({ resolve, kept }).toEqual({ resolve: [], kept: [], [expected]: [thread] });
});

test('a failed review touches no thread', () => {
  const result = roundResult(files, [], { outcome: 'failed' });
  const { resolve, kept } = plan([], { result, files: [], threads: [threadOf(onOne)], last: first });
  expect({ resolve, kept }).toEqual({ resolve: [], kept: [] });
});

test('a finding that does not count anymore ends its thread', () => {
  const rejected = { ...onOne, verdict: 'rejected' as const };
  expect(plan([rejected], { threads: [threadOf(onOne)], last: first })).toMatchObject({
    findings: [],
    resolve: [{ id: 'thread of One' }],
  });
});

test('a resolved thread is opened again only if its finding was gone in between', () => {
  const thread = threadOf(onOne, { isResolved: true });
  expect(plan([onOne], { threads: [thread], last: first }).reopen).toEqual([]);
  const last = { ...first, gone: [onOne.identity] };
  expect(plan([onOne], { threads: [thread], last }).reopen).toEqual([thread]);
});

describe('the count of fixed findings', () => {
  const threads = [threadOf(onOne)];
  const without = { files: parseUnifiedDiff(diffOf({ 'a.ts': ['const two = 2;'] })).files, threads };
  const gone = plan([], { ...without, last: { ...first, head: headOf(1) } }).state;

  test('stays when the round is written again', () => {
    expect(gone.fixed).toEqual([shortIdentity(onOne.identity)]);
    expect(plan([], { ...without, last: gone }).state.fixed).toEqual(gone.fixed);
  });

  test('leaves out a finding that another review of the same head reports again, until it is gone again', () => {
    const back = plan([onOne], { threads, last: gone });
    expect([places(back), back.state.fixed, back.state.gone]).toEqual([['thread'], [], []]);
    expect(plan([], { ...without, last: back.state }).state.fixed).toEqual(gone.fixed);
  });

  test('stays when another review of the same head fails; one of a new head has fixed nothing', () => {
    const failed = { threads, last: gone, result: roundResult(files, [], { outcome: 'failed' }) };
    expect(plan([], failed).state.fixed).toEqual(gone.fixed);
    expect(plan([], { ...failed, head: headOf(3) }).state).toMatchObject({ fixed: [], gone: gone.gone });
  });
});

test('two threads of one finding are one, and both end with it', () => {
  const threads = [threadOf(onOne), threadOf(onOne, { id: 'the other' })];
  expect(plan([onOne], { threads, last: first })).toMatchObject({
    findings: [{ at: 'thread' }],
    resolve: [],
    kept: [],
  });
  expect(plan([], { threads, last: first, files: [] }).resolve).toEqual(threads);
});

test('findings without a place in the change are in the summary, and so are those above the limit', () => {
  const beside = { ...onOne, path: 'other.ts', outside_change: true };
  expect(places(plan([beside, { ...onTwo, path: null, start_line: null, end_line: null }]))).toEqual([
    'summary',
    'summary',
  ]);
  const many = Array.from({ length: 70 }, (_, index) => ({
    ...onOne,
    id: `f${index}`,
    identity: `i${index}`,
    title: `t${index}`,
  }));
  expect(places(plan(many)).filter((at) => at === 'comment')).toHaveLength(60);
});

test('without the change, a finding of a changed file is a comment on the file', () => {
  const { findings } = plan([onOne], { files: null });
  expect(findings).toMatchObject([
    { at: 'comment', comment: { place: { path: 'a.ts', lines: null }, hasSuggestion: false } },
  ]);
});
