import { expect, test } from 'vitest';
import { samplePrivateKey } from '../../test/fixtures/sample-secrets.ts';
import { findReportableSecrets } from './report-secrets.ts';

const token = ['gh', 'p_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9'].join('');
const about = (text: string, path = 'src/a.ts') =>
  findReportableSecrets(text, path).map(({ start: _start, end: _end, ...rest }) => rest);

test('a token in a vendor’s shape is Critical anywhere, and no model can reject it', () => {
  const expected = [{ rule: 'github_token', severity: 'critical', rejectable: 'never', line: 2 }];
  expect(about(`first\nconst a = '${token}';\n`)).toEqual(expected);
  expect(about(`first\nconst a = '${token}';\n`, 'test/fixtures/a.ts')).toEqual(expected);
});

test('a value that is secret only by its name is at most Important, can be rejected, and is ignored in tests', () => {
  const line = `const smtp = { password: 'Winter-2026!' };`;
  expect(about(line)).toEqual([
    { rule: 'named_secret', severity: 'important', rejectable: 'quoted_code', line: 1 },
  ]);
  expect(about(line, 'test/a.test.ts')).toEqual([]);
});

test('a private key is one secret on the line of its first characters', () => {
  expect(about(samplePrivateKey('+').text)).toEqual([
    { rule: 'private_key', severity: 'critical', rejectable: 'never', line: 2 },
  ]);
});

test.each([
  ['a password of this machine', 'postgres://user:password@localhost:5432/app'],
  ['a strong password of this machine', 'postgres://user:q7Rw2pLx9v@127.0.0.1:5432/app'],
  ['an address for documentation', 'https://user:q7Rw2pLx9v@example.com/'],
  ['a variable', '--secret="$$VAR" --password=$PASSWORD API_KEY=${API_KEY}'],
  ['a gap to fill in', 'api_key: <your-api-key>, token: "xxxxxxxxxxxxxxxx", password: changeme123'],
  ["a vendor's own example", `AWS_ACCESS_KEY_ID=${['AK', 'IAIOSFODNN7EXAMPLE'].join('')}`],
  ['a password amid the text of its line', 'my password: Winter-2026! is old'],
  ['one letter over and over', ['gh', `p_${'x'.repeat(36)}`].join('')],
])('%s is not reported', (_what, text) => {
  expect(about(text)).toEqual([]);
});

test.each([
  ['postgres://shop:q7Rw2pLx9v@db.internal:5432/shop', 'critical'],
  ['postgres://shop:q7Rw2pLx9v@db:5432/shop', 'important'],
  ['postgres://shop:swordfish@db.internal:5432/shop', 'important'],
])('of %s the password and the host decide', (text, severity) => {
  expect(about(text)).toEqual([{ rule: 'url_password', severity, rejectable: 'quoted_code', line: 1 }]);
});
