import { expect, test } from 'vitest';
import { requestText } from './request-text.ts';
import { reviewRequest } from './requests.test-helper.ts';
import { sharedBeginning } from './shared-beginning.ts';

const text = requestText(reviewRequest(), '0'.repeat(16)).text;
const untilNonce = text.indexOf('0'.repeat(16));
const noted = (note: string) =>
  reviewRequest({ optional: [{ title: 'Note', text: note, origin: 'foreign' }] });

test('one request shares with the next run what precedes its first nonce', () => {
  const shared = sharedBeginning([reviewRequest()]);
  expect(shared?.characters).toBe(untilNonce);
  const beforeChange = requestText(reviewRequest({ change: null }), '0'.repeat(16)).text.length;
  expect(shared?.share).toBeCloseTo(untilNonce / beforeChange);
});

test('requests that differ earlier share less, whatever their order', () => {
  const other = reviewRequest({ language: 'ja' });
  const untilLanguage = text.indexOf('our prose may be in any language');
  for (const requests of [
    [reviewRequest(), other, reviewRequest()],
    [other, reviewRequest()],
  ])
    expect(sharedBeginning(requests)?.characters).toBeLessThanOrEqual(untilLanguage);
});

test('the share is that of the request with the longest text before its change', () => {
  const [short, long] = [noted(''), noted('x'.repeat(5000))];
  expect(sharedBeginning([short, long])?.share).toBeLessThan(sharedBeginning([short])?.share ?? 0);
  expect(sharedBeginning([])).toBeNull();
});
