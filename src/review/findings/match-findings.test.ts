import { expect, test } from 'vitest';
import type { Finding } from '../../events/collab-event.ts';
import { anchorOfText } from './anchor-line.ts';
import { finding } from './findings.test-helper.ts';
import { firstIdentityOf, identityOf } from './fingerprint.ts';
import type { FormerFinding } from './known-findings.ts';
import { matchFindings } from './match-findings.ts';

/** A finding as a review reports it: the anchor and the identity follow from the quotation. */
function found(quote: string | null, changes: Partial<Finding> = {}): Finding {
  const line = anchorOfText(quote);
  const base = finding({ quote, ...changes });
  const anchored =
    line === null ? base : { ...base, anchor: { ...line, symbol: 'pay', ordinal: 1, ...changes.anchor } };
  const first_identity = firstIdentityOf({ ...anchored, ordinal: 1 });
  return { ...anchored, identity: identityOf(anchored), first_identity, ...changes };
}

function matches(former: readonly FormerFinding[], present: readonly Finding[]): readonly string[] {
  return matchFindings(former, present).map((pair) => `${pair.former.title} = ${pair.present.title}`);
}

const eval1 = found('const total = eval(input);', { title: 'eval' });

test.each<[string, Finding]>([
  ['reworded', found('const total = eval(input);', { title: 'Input is executed' })],
  ['with one more line', found('read();\nconst total = eval(input);', { title: 'now' })],
  [
    'with a longer line that is the anchor now',
    found('const total = eval(input);\nanother(line, that, is, much, longer);'),
  ],
  ['indented', found('    const  total = eval(input);')],
  [
    'in another function',
    found('const total = eval(input);', {
      anchor: { line: 'const total = eval(input);', symbol: 'buy', ordinal: 3 },
    }),
  ],
])('a finding is recognized %s', (_how, present) => {
  expect(matches([eval1], [{ ...present, title: 'now' }])).toEqual(['eval = now']);
});

test('one line fewer is recognized, too', () => {
  const two = found('const total = eval(input);\nreturn round(total);', { title: 'two' });
  expect(matches([two], [found('return round(total);', { title: 'one' })])).toEqual(['two = one']);
});

test('other lines, other files and other rules are other findings', () => {
  for (const other of [
    found('const total = parse(input);'),
    found('const total = eval(input);', { path: 'b.ts' }),
  ])
    expect(matches([eval1], [other])).toEqual([]);
  const [one, two] = ['rule:eval', 'rule:secret'].map((source) =>
    found('eval(secret)', { source, title: source }),
  );
  if (one === undefined || two === undefined) throw new Error('two rules');
  expect(matches([one], [two])).toEqual([]);
  expect(matches([one, two], [two, one])).toEqual(['rule:eval = rule:eval', 'rule:secret = rule:secret']);
});

const at = (title: string): Finding =>
  found('const total = eval(input);', { title, identity: title, first_identity: title });

test('of several findings at one line, those with the most words in common are the same', () => {
  expect(
    matches(
      [at('Input is executed'), at('Total is rounded twice')],
      [at('The total is rounded'), at('User input gets executed')],
    ),
  ).toEqual([
    'Total is rounded twice = The total is rounded',
    'Input is executed = User input gets executed',
  ]);
});

const twin = (ordinal: number, symbol: string): Finding =>
  found('total = eval(input);', {
    title: `${symbol}${ordinal}`,
    anchor: { line: 'total = eval(input);', symbol, ordinal },
    identity: `${symbol}${ordinal}`,
    first_identity: '',
  });

test('of equal lines the nearest in the same function is the same', () => {
  expect(matches([twin(2, 'pay')], [twin(1, 'buy'), twin(3, 'pay'), twin(9, 'pay')])).toEqual([
    'pay2 = pay3',
  ]);
});

test('in another file it is recognized only if its line moved and all its lines are there', () => {
  const moved = found('const total = eval(input);', { path: 'b.ts', title: 'moved' });
  expect(matches([eval1], [moved])).toEqual([]);
  expect(matches([{ ...eval1, line_now: 'moved' as const }], [moved])).toEqual(['eval = moved']);
  expect(
    matches(
      [{ ...eval1, line_now: 'moved' as const }],
      [{ ...moved, quote: 'const total = eval(input);\nmore();' }],
    ),
  ).toEqual([]);
  expect(matches([{ ...found('}'), line_now: 'moved' as const }], [found('}', { path: 'b.ts' })])).toEqual(
    [],
  );
});

const old = ({ title, path, quote, severity, first_identity = '' }: Finding): FormerFinding => ({
  identity: first_identity,
  title,
  path,
  quote,
  severity,
});

test('a result of version 0.1.0 is recognized by its identity, and by its quotation', () => {
  expect(matches([old(eval1)], [eval1])).toEqual(['eval = eval']);
  expect(matches([old(eval1)], [found('read();\nconst total = eval(input);', { title: 'now' })])).toEqual([
    'eval = now',
  ]);
  const { quote: _quote, ...withoutQuote } = old(eval1);
  expect(matches([withoutQuote], [eval1])).toEqual(['eval = eval']);
});

test('findings that quote nothing are the same if their file and title are', () => {
  const bare = found(null, { title: 'No tests' });
  expect(matches([bare], [found(null, { title: 'no tests!' })])).toEqual(['No tests = no tests!']);
  expect(matches([bare], [found(null, { title: 'No docs' })])).toEqual([]);
});

test('findings of different classes at one anchor are never the same, whatever their titles', () => {
  const line = 'const total = eval(input);';
  const security = found(line, { claim: 'security' });
  expect(matches([security], [found(line, { claim: 'correctness' })])).toEqual([]);
  expect(matches([security], [found(line, { claim: 'security', title: 'now' })])).toEqual(['title = now']);
  expect(matches([security], [found(line, { title: 'now' })])).toEqual(['title = now']);
  expect(matches([eval1], [found(line, { claim: 'security', title: 'now' })])).toEqual(['eval = now']);
});

test('of the findings at one line, the same class is recognized before a finding without a class', () => {
  const line = 'const total = eval(input);';
  const former = [
    found(line, { title: 'the input is run' }),
    found(line, { title: 'slow', claim: 'performance' }),
  ];
  const longer = `${line}\nanother(line, that, is, much, longer);`;
  const present = [
    found(longer, { title: 'the input is run slowly', claim: 'performance' }),
    found(longer, { title: 'anyone runs code', claim: 'security' }),
  ];
  expect(matches(former, present)).toEqual([
    'slow = the input is run slowly',
    'the input is run = anyone runs code',
  ]);
});
