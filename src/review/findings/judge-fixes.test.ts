import { expect, test } from 'vitest';
import type { Finding } from '../../events/collab-event.ts';
import { finding } from './findings.test-helper.ts';
import { judgeFixes, type FixesToJudge } from './judge-fixes.ts';

const quote = 'total += price * count;';

function at(id: string, changes: Partial<Finding> = {}): Finding {
  const anchor = { line: quote, symbol: null, ordinal: 1 };
  return finding({
    id,
    identity: `${id}-identity`,
    path: 'a.ts',
    quote,
    anchor,
    title: 'rounds',
    ...changes,
  });
}

function fateOf(facts: Partial<Omit<FixesToJudge, 'texts'>> & { readonly text?: string | null }) {
  const { text = 'other();', ...others } = facts;
  const texts = new Map([['a.ts', text]]);
  const [judged] = judgeFixes({ chosen: [at('F3')], answers: [], reported: [], ...others, texts });
  return judged;
}

const fixed = { id: 'F3', says: 'fixed', reason: '' } as const;
const refused = { id: 'F3', says: 'refused', reason: 'it is exact' } as const;
const reported = [at('F1', { identity: 'other' })];

test('a finding is fixed if its line is gone, whatever the lead says about a fix', () => {
  expect(fateOf({ answers: [fixed] })).toMatchObject({ id: 'F3', fate: 'fixed', reason: null, now: null });
  expect(fateOf({})).toMatchObject({ fate: 'fixed' });
  expect(fateOf({ text: null })).toMatchObject({ fate: 'fixed' });
});

test('if its line is still there, it was not seen again, or the lead did nothing about it', () => {
  expect(fateOf({ answers: [fixed], text: `  ${quote}\n` })).toMatchObject({ fate: 'not_seen_again' });
  expect(fateOf({ text: quote })).toMatchObject({ fate: 'unanswered' });
});

test('a finding that the review reports again is still there, even if its line is gone', () => {
  expect(fateOf({ answers: [fixed], reported })).toMatchObject({ fate: 'still_there', now: 'F1' });
});

test('a refusal keeps its reason, whether the review reports it again or not', () => {
  expect(fateOf({ answers: [refused] })).toMatchObject({ fate: 'refused', reason: 'it is exact', now: null });
  expect(fateOf({ answers: [refused], reported })).toMatchObject({ fate: 'refused', now: 'F1' });
});

test('a finding without a quotation is never certainly gone', () => {
  const chosen = [at('F3', { quote: null, anchor: undefined })];
  expect(fateOf({ chosen, answers: [fixed] })).toMatchObject({ fate: 'not_seen_again' });
  expect(fateOf({ chosen: [at('F3', { path: null })], answers: [fixed] })).toMatchObject({
    fate: 'not_seen_again',
  });
});
