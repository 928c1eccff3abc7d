import { expect, test } from 'vitest';
import { samplePrivateKey, sampleSecrets } from '../../test/fixtures/sample-secrets.ts';
import { createLineMasker } from './line-masker.ts';

test('whole lines are output when they end; the last one is held back', () => {
  const masker = createLineMasker();
  expect([
    masker.push('one\ntw'),
    masker.push('o'),
    masker.push('\n\nth'),
    masker.flush(),
    masker.flush(),
  ]).toEqual(['one\n', '', 'two\n\n', 'th', '']);
});

test.each(sampleSecrets)('no piece of a secret is output before its line ends: $rule', ({ line, secret }) => {
  const masker = createLineMasker();
  const pushed = line.split('').map((letter) => masker.push(letter));
  expect(pushed.join('')).toBe('');
  expect(masker.flush()).toBe(line.replace(secret, '*'.repeat(secret.length)));
});

test('a private key that arrives letter by letter is masked', () => {
  const { text, masked } = samplePrivateKey('+');
  const masker = createLineMasker();
  expect(
    text
      .split('')
      .map((letter) => masker.push(letter))
      .join(''),
  ).toBe(masked);
});

test('a token after the marker of a key is masked to its end', () => {
  const token = sampleSecrets.find(({ rule }) => rule === 'json_web_token')?.secret ?? '';
  const marker = `-----BEGIN ${['PRIVATE', 'KEY'].join(' ')}-----`;
  expect(createLineMasker().push(`${marker} ${token}\n`)).toBe(`${marker} ${'*'.repeat(token.length)}\n`);
});

test('a flushed masker remembers no key', () => {
  const masker = createLineMasker();
  masker.push(`-----BEGIN ${['PRIVATE', 'KEY'].join(' ')}-----\n`);
  masker.flush();
  const word = 'a'.repeat(30);
  expect(masker.push(`${word}\n`)).toBe(`${word}\n`);
});
