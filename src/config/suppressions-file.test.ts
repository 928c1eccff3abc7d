import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { CollabError } from '../errors/collab-error.ts';
import { checkSuppressions, renderSuppressionsSchema } from './suppressions-file.ts';

const published = resolve(import.meta.dirname, '../../schemas/collab.suppressions.json');

test('the published schema equals that of the code (UPDATE_SCHEMAS=1 writes it)', () => {
  if (process.env['UPDATE_SCHEMAS'] === '1') writeFileSync(published, renderSuppressionsSchema());
  expect(readFileSync(published, 'utf8')).toBe(renderSuppressionsSchema());
});

test('entries keep their line numbers, and omitted keys are null', () => {
  const text = `# known
suppressions:
  - identity: 3a52da30c451
    reason: the bank rounds

  - path: src/a.ts
    title: Total is rounded
    quote: |
      const total =
    severity: critical
    reason: ' by design '
    expires: 2027-01-31
`;
  const nothing = { identity: null, path: null, title: null, quote: null, severity: null, expires: null };
  expect(checkSuppressions(text, 'x.yaml')).toEqual([
    { ...nothing, line: 3, identity: '3a52da30c451', reason: 'the bank rounds' },
    {
      line: 6,
      identity: null,
      path: 'src/a.ts',
      title: 'Total is rounded',
      quote: 'const total =',
      severity: 'critical',
      reason: 'by design',
      expires: '2027-01-31',
    },
  ]);
  expect(checkSuppressions('', 'x.yaml')).toEqual([]);
  expect(checkSuppressions('suppressions: []\n', 'x.yaml')).toEqual([]);
});

function refusal(entry: string): string {
  try {
    checkSuppressions(`suppressions:\n  - ${entry}\n`, 'x.yaml');
    return 'taken';
  } catch (error) {
    if (error instanceof CollabError)
      return `${error.message}${error.hint === undefined ? '' : ` | ${error.hint}`}`;
    throw error;
  }
}

test.each([
  ['{ path: a.ts, title: T }', 'x.yaml:2:5: suppressions.0.reason: is missing'],
  [
    '{ path: a.ts, title: T, reason: " " }',
    'x.yaml:2:37: suppressions.0.reason: too small: expected string to have >=1 characters',
  ],
  [
    '{ reason: r }',
    'x.yaml:2:5: suppressions.0: names no finding: give its identity, or its path with its title or quote',
  ],
  [
    '{ path: a.ts, reason: r }',
    'x.yaml:2:5: suppressions.0: names no finding: give its identity, or its path with its title or quote',
  ],
  [
    '{ title: T, reason: r }',
    'x.yaml:2:5: suppressions.0: names no finding: give its identity, or its path with its title or quote',
  ],
  [
    '{ path: a.ts, title: T, reason: r, expires: soon }',
    'x.yaml:2:49: suppressions.0.expires: must be a day such as 2027-01-31',
  ],
  [
    '{ path: a.ts, title: T, reason: r, expires: 2027-02-30 }',
    'x.yaml:2:49: suppressions.0.expires: must be a day such as 2027-01-31',
  ],
  [
    '{ identity: F1, reason: r }',
    'x.yaml:2:17: suppressions.0.identity: must be 12 to 64 hexadecimal digits, as in result.json',
  ],
  ['{ path: a.ts, title: T, reson: r }', 'x.yaml:2:5: suppressions.0.reason: is missing (and 1 more)'],
])('%s is refused with its place', (entry, message) => {
  expect(refusal(entry)).toContain(message);
});

test('a misspelled key gets the nearest valid one as a suggestion', () => {
  expect(refusal('{ path: a.ts, title: T, reason: r, expire: 2027-01-31 }')).toBe(
    'x.yaml:2:40: unknown key suppressions.0.expire | Did you mean expires?',
  );
});

test('the JSON Schema for editors accepts what the program accepts', () => {
  const schema: unknown = JSON.parse(readFileSync(published, 'utf8'));
  const validate = new Ajv2020({ strict: false, formats: { date: true } }).compile(Object(schema));
  expect(validate({ suppressions: [{ path: 'a', title: 't', reason: 'r', expires: '2027-01-31' }] })).toBe(
    true,
  );
  expect(validate({ suppressions: [{ path: 'a', title: 't' }] })).toBe(false);
  expect(validate({ suppressions: [{ path: 'a', reason: 'r', expire: 'x' }] })).toBe(false);
});
