import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReviewIssue } from '../../parsers/answers/answer-types.ts';
import type { PlacedIssue, FindingPlace } from './anchors.ts';
import { firstIdentityOf, identityBeside, identityOf } from './fingerprint.ts';
import { mergeFindings, mergeNotes, mergeReview } from './merge.ts';
import type { PlacedRuleIssue, RuleIssue } from './rule-issue.ts';

const anchor = { line: 'const x = 1;', symbol: null, ordinal: 1 };

function placed(
  issue: Partial<ReviewIssue> = {},
  place: Partial<Omit<FindingPlace, 'anchor'>> = {},
): PlacedIssue {
  return {
    issue: {
      severity: 'important',
      severityInferred: false,
      title: 'Title',
      text: 'Why.',
      location: null,
      quote: null,
      remedy: null,
      ...issue,
    },
    place: withAnchor({
      path: 'a.ts',
      side: 'new',
      startLine: 10,
      endLine: 11,
      placement: 'exact',
      quote: 'const x = 1;',
      ordinal: 1,
      ...place,
    }),
  };
}

function withAnchor(place: Omit<FindingPlace, 'anchor'>): FindingPlace {
  const { quote, ordinal } = place;
  return { ...place, anchor: quote === null ? null : { line: quote, symbol: null, ordinal } };
}

function byRule(
  found: Partial<RuleIssue> = {},
  place: Partial<Omit<FindingPlace, 'anchor'>> = {},
): PlacedRuleIssue {
  const rule: RuleIssue = {
    rule: 'hardcoded-secret',
    severity: 'critical',
    title: 'A secret is written into the source',
    why: 'It can be read.',
    fix: 'Revoke it.',
    path: 'a.ts',
    side: 'new',
    startLine: 10,
    endLine: 10,
    quote: 'const x = 1;',
    rejectable: false,
    ...found,
  };
  const { severity, title, why, fix } = rule;
  return { ...placed({ severity, title, text: why, remedy: fix }, { endLine: 10, ...place }), found: rule };
}

const key = { path: 'a.ts', anchor, title: 'Title' };
const first_identity = firstIdentityOf({ path: 'a.ts', quote: 'const x = 1;', ordinal: 1, title: 'Title' });

test('an issue becomes a finding with every field', () => {
  expect(mergeFindings([[placed({ severityInferred: true, remedy: 'Fix.' })]])).toEqual([
    {
      id: 'F1',
      identity: identityOf(key),
      first_identity,
      anchor,
      severity: 'important',
      severity_inferred: true,
      title: 'Title',
      body: 'Why.',
      remedy: 'Fix.',
      path: 'a.ts',
      start_line: 10,
      end_line: 11,
      side: 'new',
      placement: 'exact',
      quote: 'const x = 1;',
      verdict: 'unverified',
    },
  ]);
});

test('the same issue from two chunks is one finding: worst severity, all texts, each once', () => {
  const merged = mergeFindings([
    [
      placed({ severity: 'minor', text: 'First.', remedy: 'Do A.' }),
      placed({ text: 'First.', severity: 'minor' }),
    ],
    [placed({ severity: 'critical', title: '**title**!', text: 'Second.\n', remedy: 'Do B.' })],
  ]);
  expect(merged).toEqual([
    {
      id: 'F1',
      identity: identityOf(key),
      first_identity,
      anchor,
      severity: 'critical',
      title: '**title**!',
      body: 'Second.\n\nFirst.',
      remedy: 'Do B.\n\nDo A.',
      path: 'a.ts',
      start_line: 10,
      end_line: 11,
      side: 'new',
      placement: 'exact',
      quote: 'const x = 1;',
      verdict: 'unverified',
    },
  ]);
});

test('two titles at one anchor are two findings; the worse one keeps the anchor’s identity', () => {
  const merged = mergeFindings([[placed({ title: 'A' }), placed({ title: 'B', severity: 'critical' })]]);
  expect(merged.map(({ id, title, identity }) => [id, title, identity])).toEqual([
    ['F1', 'B', identityOf(key)],
    ['F2', 'A', identityBeside(identityOf(key), 'A')],
  ]);
  const equal = mergeFindings([[placed({ title: 'B' }), placed({ title: 'A' })]]);
  expect(equal.map(({ title, identity }) => [title, identity])).toEqual([
    ['A', identityOf(key)],
    ['B', identityBeside(identityOf(key), 'B')],
  ]);
});

test('findings on equal quotations at two places are two', () => {
  const merged = mergeFindings([[placed(), placed({}, { ordinal: 2, startLine: 50 })]]);
  expect(merged.map(({ start_line: line }) => line)).toEqual([10, 50]);
});

test('without a quotation the title distinguishes findings', () => {
  const nowhere = {
    quote: null,
    ordinal: 0,
    startLine: null,
    endLine: null,
    side: null,
    placement: 'file',
  } as const;
  const merged = mergeFindings([
    [placed({ title: 'A' }, nowhere), placed({ title: 'B' }, nowhere), placed({ title: 'a.' }, nowhere)],
  ]);
  expect(merged.map(({ title, identity }) => [title, identity])).toEqual([
    ['A', identityOf({ path: 'a.ts', title: 'A' })],
    ['B', identityOf({ path: 'a.ts', title: 'B' })],
  ]);
});

test('findings are sorted by severity, path, line and title; those without a path come last, without a line first', () => {
  const issues = [
    placed({ severity: 'minor', title: '1' }, { path: 'a.ts' }),
    placed({ title: '2' }, { path: null, quote: 'q' }),
    placed({ title: '3' }, { path: 'b.ts' }),
    placed({ title: '4' }, { path: 'a.ts', startLine: 12, ordinal: 3 }),
    placed({ title: '6' }, { path: 'a.ts', startLine: 9, quote: 'q', ordinal: 2 }),
    placed({ title: '5' }, { path: 'a.ts', startLine: 9, quote: 'r' }),
    placed({ title: '7' }, { path: 'a.ts', startLine: null, quote: 's' }),
    placed({ severity: 'critical', title: '8' }, { path: 'z.ts' }),
  ];
  expect(mergeFindings([issues]).map(({ id, title }) => `${id} ${title}`)).toEqual([
    'F1 8',
    'F2 7',
    'F3 5',
    'F4 6',
    'F5 4',
    'F6 3',
    'F7 2',
    'F8 1',
  ]);
});

test('remarks are kept in order, each once', () => {
  expect(mergeNotes([['Good tests.', 'Clear names'], ['good  tests', '👍', 'Small.'], ['👍']])).toEqual([
    'Good tests.',
    'Clear names',
    '👍',
    'Small.',
  ]);
  expect(
    mergeReview([
      { placed: [placed()], strengths: ['A'], suggestions: ['B'] },
      { placed: [], strengths: ['a'], suggestions: ['C'] },
    ]),
  ).toEqual({ findings: mergeFindings([[placed()]]), strengths: ['A'], suggestions: ['B', 'C'] });
});

const anyPlaced = fc
  .record({
    severity: fc.constantFrom('critical' as const, 'important' as const, 'minor' as const),
    title: fc.constantFrom('A', 'B', 'C'),
    text: fc.constantFrom('x', 'y'),
    path: fc.constantFrom('a.ts', 'b.ts', null),
    quote: fc.constantFrom('q', 'r', null),
    ordinal: fc.constantFrom(1, 2),
  })
  .map(({ severity, title, text, path, quote, ordinal }) => {
    const line = quote === null ? null : ordinal * 10;
    const place = { path, quote, ordinal: line === null ? 0 : ordinal, startLine: line, endLine: line };
    return placed({ severity, title, text }, place);
  });

test('nothing is lost, identities are unique, and chunk boundaries do not matter', () => {
  fc.assert(
    fc.property(fc.array(anyPlaced, { maxLength: 12 }), fc.nat({ max: 12 }), (issues, cut) => {
      const merged = mergeFindings([issues]);
      expect(mergeFindings([issues.slice(0, cut), issues.slice(cut)])).toEqual(merged);
      expect(new Set(merged.map(({ identity }) => identity)).size).toBe(merged.length);
      expect(merged.map(({ id }) => id)).toEqual(merged.map((_, index) => `F${index + 1}`));
      for (const { issue, place } of issues) {
        const found = merged.filter(
          (one) =>
            one.title === issue.title &&
            one.path === place.path &&
            one.quote === place.quote &&
            one.body.includes(issue.text),
        );
        expect(found.length).toBeGreaterThan(0);
      }
    }),
  );
});

test('the order of the issues changes no identity and no severity', () => {
  fc.assert(
    fc.property(fc.array(anyPlaced, { maxLength: 8 }), (issues) => {
      expect(inBrief(issues.toReversed())).toEqual(inBrief(issues));
    }),
  );
});

function inBrief(issues: readonly PlacedIssue[]): readonly unknown[] {
  return mergeFindings([issues]).map(({ id, identity, severity, title }) => ({
    id,
    identity,
    severity,
    title,
  }));
}

test('a finding of a rule alone has its source; a fallible rule can be rejected', () => {
  const alone = mergeFindings(
    [],
    [byRule(), byRule({ rule: 'eval', rejectable: true }, { startLine: 20, endLine: 20, quote: 'y' })],
  );
  expect(alone).toMatchObject([
    {
      id: 'F1',
      severity: 'critical',
      source: 'rule:hardcoded-secret',
      rejectable: false,
      body: 'It can be read.',
    },
    { id: 'F2', source: 'rule:eval', start_line: 20 },
  ]);
  expect(alone[1]).not.toHaveProperty('rejectable');
});

test("findings of a rule and a model at one place are merged: worse severity, the model's words first", () => {
  const model = placed({
    severity: 'minor',
    title: 'A key in the code',
    text: 'Anyone can use it.',
    remedy: 'Rotate.',
  });
  expect(mergeFindings([[model]], [byRule()])).toMatchObject([
    {
      id: 'F1',
      severity: 'critical',
      title: 'A key in the code',
      body: 'Anyone can use it.\n\nThe rule `hardcoded-secret` found here: A secret is written into the source. It can be read.',
      remedy: 'Rotate.\n\nRevoke it.',
      start_line: 10,
      end_line: 11,
      source: 'rule:hardcoded-secret',
      rejectable: false,
    },
  ]);
  const worse = placed({ severity: 'critical' });
  expect(mergeFindings([[worse]], [byRule({ severity: 'minor' })])[0]?.severity).toBe('critical');
});

test('a rule’s finding is merged only with one on its lines, its side and its file', () => {
  const elsewhere = [
    placed({}, { path: 'b.ts' }),
    placed({}, { side: 'old' }),
    placed({}, { startLine: 11, endLine: 12 }),
    placed({}, { startLine: null, endLine: null, placement: 'file' }),
  ];
  for (const model of elsewhere) {
    const sources = mergeFindings([[model]], [byRule()]).map(({ source }) => source);
    expect(new Set(sources)).toEqual(new Set(['rule:hardcoded-secret', undefined]));
  }
});

test('two classes at one anchor are two findings, even with one title; an issue without a class joins the first', () => {
  const merged = mergeFindings([
    [placed({ claim: 'security', text: 'a' }), placed({ claim: 'tests', text: 'b' })],
    [placed({ text: 'c' }), placed({ claim: 'tests', text: 'd' })],
  ]);
  expect(merged.map(({ claim, body }) => [claim, body])).toEqual([
    ['security', 'a\n\nc'],
    ['tests', 'b\n\nd'],
  ]);
  expect(new Set(merged.map(({ identity }) => identity)).size).toBe(2);
});

const quoted = { quote: { text: 'const x = 1;', side: 'new' as const } };

test('a replacement counts at the lines of the finding, and the other ones stay readable', () => {
  const remedy = 'Use two.';
  const [used] = mergeFindings([[placed({ ...quoted, remedy, replacement: 'const x = 2;' })]]);
  expect(used).toMatchObject({ remedy, replacement: 'const x = 2;' });
  expect(used).not.toHaveProperty('replacement_unused');
  const [loose] = mergeFindings([
    [placed({ ...quoted, remedy, replacement: 'const x = 2;' }, { placement: 'loose' })],
  ]);
  expect(loose).toMatchObject({
    remedy: 'Use two.\n\n```\nconst x = 2;\n```',
    replacement_unused: 'quotation',
  });
  expect(loose).not.toHaveProperty('replacement');
});

test('of several replacements, the one at the lines of the worst issue counts', () => {
  const merged = mergeFindings([
    [
      placed({ ...quoted, severity: 'minor', replacement: 'const x = 4;' }, { startLine: 20, endLine: 21 }),
      placed({ ...quoted, severity: 'critical' }),
      placed({ ...quoted, replacement: 'const x = 3;' }),
    ],
  ]);
  expect(merged).toMatchObject([
    { start_line: 10, replacement: 'const x = 3;', remedy: '```\nconst x = 4;\n```' },
  ]);
});

test('a masked value of a replacement is neither used nor shown', () => {
  const [finding] = mergeFindings([[placed({ ...quoted, replacement: 'const x = "********";' })]]);
  expect(finding).toMatchObject({ replacement_unused: 'masked' });
  expect(JSON.stringify(finding)).not.toContain('***');
});

test.each([
  ['a rule', {}, 'The rule `hardcoded-secret` found here: '],
  ['a tool', { tool: 'semgrep', rule: '' }, 'semgrep found here: '],
  ['a rule of a tool', { tool: 'semgrep', rule: 'r1' }, 'semgrep (`r1`) found here: '],
])('what %s found at a finding’s place says who found it', (_who, found, says) => {
  const [finding] = mergeFindings([[placed()]], [byRule(found)]);
  expect(finding?.body).toBe(`Why.\n\n${says}A secret is written into the source. It can be read.`);
});
