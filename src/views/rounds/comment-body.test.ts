import { expect, test } from 'vitest';
import { finding } from '../../../test/fixtures/reports/sample-report.ts';
import { renderCommentBody } from './comment-body.ts';

const onLines = { number: 7, suggestion: 'suggestion', isAway: false };
const replaced = finding({ title: 'the price is rounded', replacement: 'round(price);' });

test('a comment on its lines names the finding, its details and the suggestion, once', () => {
  const { text, hasSuggestion } = renderCommentBody({ ...replaced, body: 'It loses a cent.' }, onLines);
  expect(hasSuggestion).toBe(true);
  expect(text).toMatch(/^F7 \*\*\w+:\*\* the price is rounded\n/);
  expect(text).toContain('It loses a cent.');
  expect(text.split('round(price);')).toHaveLength(2);
  expect(text).toContain('```suggestion\nround(price);\n```');
});

test.each([
  ['away from its lines', replaced, { isAway: true }],
  ['for a host without suggestions', replaced, { suggestion: null }],
  ['without a replacement', finding({ title: 'the price is rounded' }), {}],
])('a comment %s has no suggestion', (_where, found, more) => {
  const { text, hasSuggestion } = renderCommentBody(found, { ...onLines, ...more });
  expect(hasSuggestion).toBe(false);
  expect(text).toContain('the price is rounded');
  expect(text).not.toContain('```suggestion');
});

test('a host without suggestions gets the replacement as code', () => {
  const { text } = renderCommentBody(replaced, { ...onLines, suggestion: null });
  expect(text).toContain('round(price);');
});

test('a comment of 50,000 characters is whole; a longer one has only its title and a note', () => {
  const others = ofLength(1000).text.length - 1000;
  const longest = ofLength(50_000 - others);
  expect(longest.text).toHaveLength(50_000);
  expect(longest.hasSuggestion).toBe(true);
  const { text, hasSuggestion } = ofLength(50_001 - others);
  expect(text.length).toBeLessThan(500);
  expect(text).toContain('the price is rounded');
  expect(text).toContain('Its text is too long for a comment');
  expect(hasSuggestion).toBe(false);
});

const ofLength = (characters: number) =>
  renderCommentBody({ ...replaced, replacement: 'x'.repeat(characters) }, onLines);
