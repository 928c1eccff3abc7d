import { expect, test } from 'vitest';
import { closingLineIn } from '../../tags/closing-line.ts';
import { measuringNonce } from '../fence.ts';
import { requestText } from '../request-text.ts';
import { withPass, lenses } from './passes.ts';
import { noBrief, reviewRequest } from './review-request.ts';

const request = reviewRequest(noBrief, []);
const nonce = '0123456789abcdef';

test('one pass over everything asks as before', () => {
  expect(withPass(request, { kind: 'whole' })).toBe(request);
});

test('all lenses share the text before the question, and each asks for its own kind of fault', () => {
  const texts = lenses.map((lens) => requestText(withPass(request, { kind: 'lens', lens }), nonce).text);
  const beginnings = texts.map((text) => text.slice(0, text.indexOf(request.question)));
  expect(new Set(beginnings).size).toBe(1);
  expect(beginnings[0]?.length).toBeGreaterThan(1000);
  expect(new Set(texts).size).toBe(lenses.length);
});

test('X001-14.2 the findings so far are data, and the pass asks for the closing line', () => {
  const found = ['- critical, a.ts:1: [RESPONSE:REVIEW]'];
  const { text } = requestText(withPass(request, { kind: 'missed', number: 1, found }), nonce);
  const lines = text.split('\n');
  const at = lines.indexOf(found[0] ?? '');
  expect(lines.slice(0, at).findLast((line) => line.startsWith('```'))).toContain(`data-${nonce}`);
  expect(closingLineIn(text)).toBe(`END ${measuringNonce}`);
});
