import { describe, expect, test } from 'vitest';
import { disguises, secretCorpus } from '../../test/fixtures/secret-corpus.ts';
import { createLineMasker } from './line-masker.ts';
import { maskSecrets } from './mask-secrets.ts';

test('the corpus has at least 60 kinds in six disguises', () => {
  expect(new Set(secretCorpus.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60);
  expect(disguises).toHaveLength(6);
});

describe.each(disguises)('$name', ({ wrap, telling }) => {
  test.each(secretCorpus)('$name is masked, as a whole text and letter by letter', async (secret) => {
    const text = `before\n${wrap(secret)}\nafter\n`;
    const masked = maskSecrets(text).text;
    expect(telling(secret).filter((part) => masked.includes(part))).toEqual([]);
    expect(masked).toHaveLength(text.length);
    expect(maskSecrets(masked).text).toBe(masked);
    const masker = createLineMasker();
    const pushed = text.split('').map((sign) => masker.push(sign));
    expect(pushed.join('') + masker.flush()).toBe(masked);
  });
});

const token = ['gh', 'p_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9'].join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const marker = (word: string) => `-----${word} ${['PRIVATE', 'KEY'].join(' ')}-----`;
const stars = (text: string) => '*'.repeat(text.length);

test.each<readonly [what: string, text: string]>([
  [
    'every letter of it as %xx',
    token
      .split('')
      .map((sign) => `%${sign.charCodeAt(0).toString(16)}`)
      .join(''),
  ],
  ['encoded twice', encodeURIComponent(encodeURIComponent(`:${token}:`)).replace(token, token)],
  [
    'its letters as \\u escapes',
    token
      .split('')
      .map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
      .join(''),
  ],
  [
    'its letters as entities of HTML',
    token
      .split('')
      .map((sign) => `&#${sign.charCodeAt(0)};`)
      .join(''),
  ],
  ['base64 of base64', base64(base64(`token: ${token}`))],
  ['base64 of UTF-16', Buffer.from(`$t = "${token}"`, 'utf16le').toString('base64')],
  ['base64 for addresses', Buffer.from(`?>?>${token}`).toString('base64url')],
  ['base64 behind a path', `/a/b/${base64(`x=${token}`)}`],
  ['a zero-width sign after each letter', token.split('').join('\u2060')],
  ...[
    '\u0001',
    '\b',
    '\u007F',
    '\u0085',
    '\u009F',
    '\u2028',
    '\u2800',
    '\uFFF9',
    '\u{110BD}',
    '\u001B[0m',
  ].map(
    (sign) => [`split by ${JSON.stringify(sign)}`, `${token.slice(0, 12)}${sign}${token.slice(12)}`] as const,
  ),
  [
    'its letters in octal',
    token.replaceAll(/./g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`),
  ],
  [
    'its letters with eight digits',
    token.replaceAll(/./g, (sign) => `\\U${sign.charCodeAt(0).toString(16).padStart(8, '0')}`),
  ],
  ...['\u00A0', '\u2009', '\u202F', '\u3000'].map(
    (sign) => [`split by ${JSON.stringify(sign)}`, `${token.slice(0, 12)}${sign}${token.slice(12)}`] as const,
  ),
  ['in hexadecimal digits', Buffer.from(`x=${token}`).toString('hex')],
  ['in hexadecimal digits behind another one', `0${Buffer.from(token).toString('hex').toUpperCase()}`],
  ['in full width', token.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0))],
  [
    'in bold letters of mathematics',
    token.replaceAll(/[A-Z]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) - 65 + 0x1d400)),
  ],
  ['behind the sign of a line end', `"first\\n${token}"`],
])('%s is undone before the search', async (_what, text) => {
  const { text: masked, found } = maskSecrets(text);
  expect(found.map(({ rule }) => rule)).toContain('github_token');
  expect(masked).not.toContain(text.slice(Math.floor(text.length / 2)));
});

const bytesOf = (text: string) => [...Buffer.from(text, 'utf8')];
const codesOf = (text: string) => Array.from(text, (sign) => sign.codePointAt(0) ?? 0);

/** Forms that change every sign, or that split the text. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  'URL-encoded': (text) =>
    bytesOf(text)
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join(''),
  '\\u escapes': (text) =>
    text
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  '\\x escapes': (text) =>
    bytesOf(text)
      .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
      .join(''),
  octal: (text) =>
    bytesOf(text)
      .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  entities: (text) =>
    codesOf(text)
      .map((code) => `&#${code};`)
      .join(''),
  'entities without a semicolon': (text) =>
    codesOf(text)
      .map((code) => `&#${code}`)
      .join(''),
  'hexadecimal entities without a semicolon': (text) =>
    codesOf(text)
      .map((code) => `&#x0${code.toString(16)}`)
      .join(''),
  'zero-width signs': (text) => Array.from(text).join('\u200b'),
  'a zero-width sign now and then': (text) => text.replaceAll(/.{7}/g, (part) => `${part}\u200b`),
  'unusual spaces': (text) => text.replaceAll(/.{7}/g, (part) => `${part}\u00a0`),
  'full width': (text) =>
    text.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0)),
  'JSON string': (text) => JSON.stringify(`first\n"${text}"\n`),
  base64: (text) => base64(`x: ${text} y`),
  'base64 of UTF-16': (text) => Buffer.from(`$t = "${text}"`, 'utf16le').toString('base64'),
  'base64 for addresses': (text) => Buffer.from(`?>?>${text}`).toString('base64url'),
  hexadecimal: (text) => Buffer.from(`x ${text}`).toString('hex'),
};

test.each(Object.keys(forms))('%s: undone alone, below and above each other form', (outer) => {
  const wrap = forms[outer] ?? String;
  const texts = [
    ['plain', wrap(token)],
    ...Object.entries(forms).map(([inner, form]) => [inner, wrap(form(token))]),
  ];
  const missed = texts.filter(([, text = '']) => {
    const { text: masked, found } = maskSecrets(`v = ${text} end`);
    const stayed = text.split('').filter((sign, at) => masked.at(at + 4) === sign).length;
    return (
      !found.some(({ rule }) => rule === 'github_token') ||
      stayed > text.length / 2 ||
      !masked.endsWith(' end')
    );
  });
  expect(missed.map(([inner]) => inner)).toEqual([]);
});

test('in base64 only the groups of the secret are masked, in Basic credentials all of them', async () => {
  const filler = 'this text is no secret and stays.';
  const text = base64(`${filler}${token} ${filler}`);
  const { text: masked } = maskSecrets(text);
  expect(masked).toBe(text.slice(0, 44) + stars(text.slice(44, 100)) + text.slice(100));
  const basic = base64('shop:q7Rw2pLx9v');
  expect(maskSecrets(`"auth": "Basic ${basic}"`).text).toBe(`"auth": "Basic ${stars(basic)}"`);
});

test('a private key inside base64 is masked, as in a Kubernetes secret', async () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const encoded = base64(`${marker('BEGIN')}\n${body}\n${body}\n${marker('END')}\n`);
  const { text, found } = maskSecrets(`  tls.key: ${encoded}`);
  expect(found.map(({ rule }) => rule)).toEqual(['private_key', 'private_key']);
  expect(text).toMatch(/^ {2}tls\.key: [A-Za-z0-9+/]{36,40}\*{170,}[A-Za-z0-9+/=]+$/);
});
