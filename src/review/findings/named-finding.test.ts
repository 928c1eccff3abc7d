import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { finding } from './findings.test-helper.ts';
import { findingNamed } from './named-finding.ts';

const findings = [
  finding({ id: 'F1', identity: 'aaaaaaaaaaaabb' }),
  finding({ id: 'F2', identity: 'aaaaaaaaaaaacc' }),
  finding({ id: 'F12', identity: '123456789012dd' }),
];

const refusedName = (name: string, among = findings) =>
  refusalOf(Promise.resolve().then(() => findingNamed(among, name)));

test.each([
  ['the number alone', '2', 'F2'],
  ['the number as a report shows it', 'F2', 'F2'],
  ['a small letter and spaces', ' f12 ', 'F12'],
  ['a number with a zero before it', '02', 'F2'],
  ['the whole identity', 'aaaaaaaaaaaacc', 'F2'],
  ['twelve digits of an identity, which are no number', '123456789012', 'F12'],
])('a finding is named by %s', (_title, name, id) => {
  expect(findingNamed(findings, name).id).toBe(id);
});

test.each([
  ['a number without a finding', '3'],
  ['the number 0', '0'],
  ['fewer digits of an identity than a suppression needs', 'aaaaaaaaaaa'],
  ['a word', 'F'],
  ['an empty name', ''],
  ['two numbers', '1,2'],
  ['a negative number', '-1'],
])('%s is refused, with the names that exist', async (_title, name) => {
  expect(await refusedName(name)).toEqual({
    code: 'usage',
    message: `there is no finding "${name}"`,
    hint: 'Name one of its findings: F1, F2, F12',
  });
});

test('digits with which several identities begin are refused, with those findings', async () => {
  expect((await refusedName('aaaaaaaaaaaa')).message).toBe('"aaaaaaaaaaaa" means 2 findings: F1, F2');
});

test('the names of many findings are shortened, and a review without findings says so', async () => {
  const many = Array.from({ length: 40 }, (_, index) => finding({ id: `F${index + 1}` }));
  expect((await refusedName('41', many)).hint).toBe(
    'Name one of its findings: F1, F2, F3, F4, F5, F6, F7, F8 … F40',
  );
  expect((await refusedName('1', [])).hint).toBe('This review has no findings.');
});
