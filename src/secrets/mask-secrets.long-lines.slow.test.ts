/** Lines of megabytes: a search that is not linear never ends here. */
import { expect, test } from 'vitest';
import { createLineMasker } from './line-masker.ts';
import { maskSecrets } from './mask-secrets.ts';

const stars = (text: string) => '*'.repeat(text.length);

test.each([
  ['x', 16],
  ['A=', 2],
  ['aaaa:', 2],
  ['-----BEGIN ', 2],
  ['\\u0041', 2],
  ['curl;-u a:bcd ', 2],
])('a line of %s, over and over for %i MiB, is searched to its end', async (unit, mebibytes) => {
  const line = unit.repeat((mebibytes * 2 ** 20) / unit.length);
  const secret = ['gh', 'p_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9'].join('');
  const { text, found } = maskSecrets(`${line} ${secret}`);
  expect(text === `${line} ${stars(secret)}`).toBe(true);
  const start = line.length + 1;
  expect(found).toEqual([{ start, end: start + secret.length, rule: 'github_token' }]);
});

const glued = ['AI', 'za', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH'].join('');

test.each([
  ['on a line of its own', ''],
  ['after other text', 'x '],
])('three thousand tokens without a gap are covered: %s', async (_where, before) => {
  const line = before + glued.repeat(3000);
  const { text } = maskSecrets(`first\n${line}\nlast`);
  expect(text.replace(/\*+/, '')).toBe('first\n\nlast');
  const masker = createLineMasker();
  expect(masker.push(`first\n${line}\nlast`) + masker.flush()).toBe(text);
  expect(maskSecrets(text)).toEqual({ text, found: [] });
});

test('endless beginnings of web tokens are skipped, and a whole one after them is masked', async () => {
  const beginnings = 'eyJ-'.repeat(2 ** 18);
  const whole = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTYifQ', 'c2lnbmF0dXJlLW9mLWl0'].join('.');
  const { text } = maskSecrets(`${beginnings} ${whole} z`);
  expect(text === `${beginnings} ${stars(whole)} z`).toBe(true);
});
