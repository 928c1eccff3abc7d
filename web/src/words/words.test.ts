import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { copyWords } from '../design/copy-words.ts';
import { useMarkdownWords } from '../markdown/markdown-words.ts';
import { useQuestionWords } from '../questions/question-words.ts';
import { useDismissWords } from '../review/dismiss/dismiss-words.ts';
import { useFixWords } from '../review/fix/fix-words.ts';
import { useLineWords } from '../review/lines/line-words.ts';
import { useReviewWords } from '../review/review-words.ts';
import { useTreeWords } from '../review/tree/tree-words.ts';
import { runWords } from '../run/run-words.ts';
import { paletteWords } from '../shell/palette-words.ts';
import { startWords } from '../start/start-words.ts';
import { talkWords } from '../talk/talk-words.ts';
import type { ReviewResult } from '../../../src/client/run-events.ts';
import { allTags } from '../../../src/tags/tags.ts';
import { LanguageContext, useWords } from './language.tsx';
import { shellWords } from './shell-words.ts';
import { useTitle } from './use-title.ts';
import { languageNames, languages, type PageLanguage, type Words } from './words.ts';

const parts: Readonly<Record<string, () => unknown>> = {
  copying: usedWords(copyWords),
  markdown: useMarkdownWords,
  questions: useQuestionWords,
  dismissals: useDismissWords,
  fixes: useFixWords,
  lines: useLineWords,
  review: useReviewWords,
  'files of the change': useTreeWords,
  runs: usedWords(runWords),
  palette: usedWords(paletteWords),
  start: usedWords(startWords),
  conversations: usedWords(talkWords),
  shell: usedWords(shellWords),
};

describe.each(Object.entries(parts))('the words of the part: %s', (_part, useCatalog) => {
  const [english, ...others] = languages.map((language) => wordsIn(language, useCatalog));

  test('are the same in every language', () => {
    for (const other of others) expect(shapeOf(other)).toEqual(shapeOf(english));
  });
});

test('every language has a name in itself', () => {
  expect(languages.map((language) => languageNames[language])).toEqual(['English', '日本語']);
});

test.each([
  ['en', 'Critical (2)', '3 files skipped', '1 critical', 'Asks for a review'],
  ['ja', '重大 (2)', '対象外: 3 ファイル', '重大 1 件', 'レビューの依頼'],
] as const)('in %s, a code has its word', (language, ofSeverity, ofStatus, found, tag) => {
  const review = wordsIn(language, useReviewWords);
  expect(review.severityCount('critical', 2)).toBe(ofSeverity);
  expect(review.statusCount(3, 'skipped')).toBe(ofStatus);
  expect(wordsIn(language, usedWords(startWords)).found(1, 'critical')).toBe(found);
  expect(wordsIn(language, useMarkdownWords).tag('[REQUEST:REVIEW]')).toBe(tag);
});

test.each(languages)('in %s, each severity and each tag has its own word', (language) => {
  const { found } = wordsIn(language, usedWords(startWords));
  const { tag } = wordsIn(language, useMarkdownWords);
  const severities = (['critical', 'important', 'minor'] as const).map((severity) => found(1, severity));
  const words = [...severities, ...allTags.map(tag)];
  expect(new Set(words).size).toBe(3 + allTags.length);
  expect(words.join(' ')).not.toContain('undefined');
});

test('in English, one is singular, and nothing is said about none', () => {
  const run = wordsIn('en', usedWords(runWords));
  const review = wordsIn('en', useReviewWords);
  const fix = wordsIn('en', useFixWords);
  expect([run.phaseBegins('Design', 1), run.phaseBegins('Design', 2)]).toEqual(['Design', 'Design, round 2']);
  expect([run.findingsLeft(true, '1'), run.findingsLeft(false, '2')]).toEqual([
    '1 critical finding',
    '2 open findings',
  ]);
  expect([review.coverageOf(1, 0, 2), review.coverageOf(1, 3, 2000)]).toEqual([
    '1 of 2 changed lines reviewed',
    '1 of 2,000 changed lines reviewed, 3 scanned by rules only',
  ]);
  expect([review.baseline(baseline), review.baseline({ ...baseline, not_seen_again: [known] })]).toEqual([
    'Since the baseline run_a: 1 new, 2 still there, 1 fixed.',
    'Since the baseline run_a: 1 new, 2 still there, 1 fixed, 1 not seen again.',
  ]);
  expect([review.known(1), review.known(2)]).toEqual([
    '1 finding that does not count',
    '2 findings that do not count',
  ]);
  expect([review.position(0, 3), review.position(1, 3)]).toEqual(['3 findings', '1 of 3']);
  expect([review.suppressed(null, 'why'), review.suppressed('2026-12-01', 'why')]).toEqual([
    'Suppressed, does not count: why',
    'Suppressed until 2026-12-01, does not count: why',
  ]);
  expect([fix.start(0), fix.start(1)]).toEqual(['Fix', 'Fix 1 finding']);
});

test('in Japanese, nothing is said about none', () => {
  const run = wordsIn('ja', usedWords(runWords));
  const review = wordsIn('ja', useReviewWords);
  const fix = wordsIn('ja', useFixWords);
  expect([run.phaseBegins('設計', 1), run.phaseBegins('設計', 2)]).toEqual(['設計', '設計(2 回目)']);
  expect([run.findingsLeft(true, '1'), run.findingsLeft(false, '2')]).toEqual([
    '重大な指摘 1 件',
    '未解決の指摘 2 件',
  ]);
  expect([review.coverageOf(1, 0, 2), review.coverageOf(1, 3, 2)]).toEqual([
    '変更 2 行のうち 1 行をレビュー',
    '変更 2 行のうち 1 行をレビュー、3 行をルールのみで検査',
  ]);
  expect([review.baseline(baseline), review.baseline({ ...baseline, not_seen_again: [known] })]).toEqual([
    '基準 run_a から: 新規 1、継続 2、解消 1。',
    '基準 run_a から: 新規 1、継続 2、解消 1、再指摘なし 1。',
  ]);
  expect([review.position(0, 3), review.position(1, 3)]).toEqual(['3 件', '3 件中 1 件目']);
  expect([review.suppressed(null, '理由'), review.suppressed('2026-12-01', '理由')]).toEqual([
    '抑制中、数えません: 理由',
    '抑制中 (2026-12-01 まで)、数えません: 理由',
  ]);
  expect([fix.start(0), fix.start(1)]).toEqual(['修正', '1 件を修正']);
});

test.each([
  ['en', ['Working tree', 'Staged changes', 'Diff', 'Diff: a', 'Commit a', 'typed', 'typed']],
  ['ja', ['作業ツリー', 'ステージ済みの変更', '差分', '差分: a', 'コミット a', '指摘の修正', 'typed']],
] as const)('in %s, a run has a title by its subject', (language, titles) => {
  const titleOf = wordsIn(language, useTitle);
  const subjects = [
    { kind: 'working_tree', name: null },
    { kind: 'staged', name: null },
    { kind: 'diff', name: null },
    { kind: 'diff', name: 'a' },
    { kind: 'commit', name: 'a' },
    { kind: 'fix', name: null },
    null,
  ] as const;
  expect(subjects.map((subject) => titleOf({ title: 'typed', subject }))).toEqual(titles);
  expect(titleOf({ title: null })).toBe('');
});

const known = { identity: 'i', severity: 'minor', title: 'Tax', path: null } as const;
const baseline: NonNullable<ReviewResult['baseline']> = {
  run_id: 'run_a',
  ended_at: null,
  outcome: 'findings',
  new: 1,
  still_there: 2,
  fixed: [known],
  not_seen_again: [],
  not_looked_at: [],
};

function usedWords<Catalog>(words: Words<Catalog>): () => Catalog {
  return () => useWords(words);
}

function wordsIn<Catalog>(language: PageLanguage, useCatalog: () => Catalog): Catalog {
  let found: { readonly catalog: Catalog } | undefined;
  const Probe = () => {
    found = { catalog: useCatalog() };
    return null;
  };
  const value = { language, choose: () => undefined };
  renderToString(createElement(LanguageContext, { value }, createElement(Probe)));
  if (found === undefined) throw new Error('the words were not rendered');
  return found.catalog;
}

/** Keeps the keys and what kind of value each has. */
function shapeOf(words: unknown): unknown {
  if (typeof words !== 'object' || words === null) return typeof words;
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, shapeOf(value)]));
}
