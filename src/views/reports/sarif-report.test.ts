import { expect, test } from 'vitest';
import { sampleResults } from '../../../test/fixtures/reports/sample-results.ts';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import type { Finding } from '../../events/collab-event.ts';
import { runOf } from './sarif-report.test-helper.ts';

test('a finding is a result of the rule for its severity, with region, quotation and its identity as fingerprint', () => {
  const item = finding({ remedy: 'Round once.', start_line: 40, end_line: 41, path: 'src/a b/ü%#?.ts' });
  expect(runOf(report({ findings: [item] })).results).toEqual([
    {
      ruleId: 'collab/critical',
      level: 'error',
      message: {
        text:
          'Critical: Total is rounded before tax\n\n' +
          'Why: Rounding first loses up to half a cent an item; `total` feeds the invoice.\n\nFix: Round once.',
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/a%20b/%C3%BC%25%23%3F.ts', uriBaseId: '%SRCROOT%' },
            region: {
              startLine: 40,
              endLine: 41,
              snippet: { text: 'const total = Math.round(subtotal);\n' },
            },
          },
        },
      ],
      partialFingerprints: { 'collabIdentity/v2': '0123456789abcdef' },
      properties: { id: 'f1', severity: 'critical', placement: 'exact', verdict: 'unverified' },
    },
  ]);
});

test('a replacement is a fix of exactly its lines, with the line ends of the file', () => {
  const fixesOf = (changes: Partial<Finding>) =>
    runOf(report({ findings: [finding({ start_line: 40, end_line: 41, ...changes })] })).results[0]?.[
      'fixes'
    ];
  const fix = (replacement: object) => [
    {
      description: { text: expect.stringMatching(/^(?:Replace|Remove) these lines\.$/) },
      artifactChanges: [
        {
          artifactLocation: { uri: 'src/checkout/total.ts', uriBaseId: '%SRCROOT%' },
          replacements: [replacement],
        },
      ],
    },
  ];
  const region = { startLine: 40, startColumn: 1, endLine: 41 };
  expect(fixesOf({ replacement: 'a();\n  b();' })).toEqual(
    fix({ deletedRegion: region, insertedContent: { text: 'a();\n  b();' } }),
  );
  expect(fixesOf({ replacement: 'a();\nb();', quote: 'x();\r\ny();\r' })).toEqual(
    fix({ deletedRegion: region, insertedContent: { text: 'a();\r\nb();' } }),
  );
  expect(fixesOf({ replacement: '' })).toEqual(
    fix({ deletedRegion: { ...region, endLine: 42, endColumn: 1 } }),
  );
  for (const none of [
    {},
    { replacement: 'a();', side: 'old' },
    { replacement: 'a();', path: null },
    { replacement: 'a();', start_line: null },
    { replacement: 'a\u202e();' },
    { replacement: 'a'.repeat(20_000) },
  ] as const)
    expect(fixesOf(none)).toBeUndefined();
});

test('there is a rule for each severity, and each notification has a descriptor', () => {
  const { tool, invocations } = runOf(report());
  expect(tool.driver.rules).toMatchObject([
    { id: 'collab/critical', defaultConfiguration: { level: 'error' } },
    { id: 'collab/important', defaultConfiguration: { level: 'warning' } },
    { id: 'collab/minor', defaultConfiguration: { level: 'note' } },
  ]);
  const used = invocations[0].toolExecutionNotifications.map(({ descriptor }) => descriptor);
  expect(tool.driver.notifications).toEqual([{ id: 'outcome_findings' }, ...used.slice(1)]);
});

test('the tool has the version of the build that made the result, or none if that is unknown', () => {
  const { driver } = runOf(report({ collab_version: '0.9.1' })).tool;
  expect(driver).toMatchObject({ name: 'collab', version: '0.9.1' });
  expect(runOf(report()).tool.driver).not.toHaveProperty('version');
});

test('a removed line has no region in the new file, and its numbers are in the text', () => {
  const [result] = runOf(
    report({ findings: [finding({ side: 'old', start_line: 7, end_line: 9 })] }),
  ).results;
  expect(result).toMatchObject({
    message: { text: expect.stringContaining('At: src/checkout/total.ts:7-9\n\n') },
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'src/checkout/total.ts', uriBaseId: '%SRCROOT%' } } },
    ],
    properties: { removed_lines: [7, 9] },
  });
  expect(JSON.stringify(result)).not.toContain('"region"');
});

test('a finding without a place has a location that says so: GitHub rejects a whole file for one result without any', () => {
  const item = finding({ path: null, start_line: null, end_line: null, side: null, placement: 'unplaced' });
  expect(runOf(report({ findings: [item] })).results).toMatchObject([
    {
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'no-place-in-the-change' } },
          message: { text: 'The finding names no place that is in the change.' },
        },
      ],
    },
  ]);
});

test('a rejected finding stays listed, suppressed with the lead’s quotation', () => {
  const [counted, rejected] = runOf(sampleResults['rejected'] ?? report()).results;
  const justification = 'rejected by the lead, does not count: the sum is rounded in `tax.ts:3`';
  expect(rejected?.['suppressions']).toEqual([{ kind: 'external', status: 'accepted', justification }]);
  expect(counted?.['suppressions']).toBe(undefined);
  expect(rejected?.['baselineState']).toBe(undefined);
});

test('known findings are unchanged and suppressed, others are new', () => {
  const { results } = runOf(sampleResults['baselined'] ?? report());
  expect(results.map(({ baselineState, suppressions }) => [baselineState, suppressions])).toEqual([
    ['new', undefined],
    [
      'unchanged',
      [
        {
          kind: 'external',
          status: 'accepted',
          justification: 'still there: known from the baseline, does not count',
        },
      ],
    ],
  ]);
});

test('a finding suppressed by hand has its reason, one with an expired suppression has none', () => {
  const known = { reason: 'the bank rounds', expires: null, expired: false };
  const { results } = runOf(
    report({
      findings: [
        finding({ suppressed: known }),
        finding({ identity: '2', suppressed: { ...known, expired: true } }),
      ],
    }),
  );
  expect(results.map(({ suppressions }) => suppressions)).toEqual([
    undefined,
    [{ kind: 'external', status: 'accepted', justification: 'suppressed, does not count: the bank rounds' }],
  ]);
});

test('an incomplete review is an unsuccessful execution, with the reasons and the files as errors', () => {
  const [invocation] = runOf(sampleResults['incomplete'] ?? report()).invocations;
  expect(invocation).toEqual({
    executionSuccessful: false,
    exitCode: 3,
    exitCodeDescription: 'exit 3: incomplete: this is not a clean result',
    startTimeUtc: '2026-11-21T09:30:00.000Z',
    endTimeUtc: '2026-11-21T09:31:20.000Z',
    toolExecutionNotifications: [
      {
        descriptor: { id: 'outcome_incomplete' },
        level: 'error',
        message: { text: expect.stringMatching(/^Code review: incomplete — 3 findings/) },
      },
      {
        descriptor: { id: 'time_spent' },
        level: 'error',
        message: { text: 'the time was over before a whole answer came (chunk-2)' },
      },
      {
        descriptor: { id: 'lines_not_shown' },
        level: 'error',
        message: { text: '12 changed lines of src/a.ts were in no exchange that settled' },
      },
      {
        descriptor: { id: 'file_not_reviewed' },
        level: 'error',
        message: { text: 'src/legacy/huge.ts was not reviewed: its exchange did not settle' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'src/legacy/huge.ts', uriBaseId: '%SRCROOT%' },
            },
          },
        ],
      },
      {
        descriptor: { id: 'file_skipped' },
        level: 'note',
        message: { text: 'package-lock.json was skipped: lock file' },
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: 'package-lock.json', uriBaseId: '%SRCROOT%' } },
          },
        ],
      },
    ],
  });
});

test('the second opinion, known findings and masked secrets are a note each', () => {
  const [{ toolExecutionNotifications }] = runOf(
    report({
      reasons: [],
      second_opinion: { state: 'off', detail: 'there is no lead', asked: [], same_family: false },
      suppressions: { file: 's.yaml', suppressed: 1, expired: [], unused: [] },
      covered_secrets: [{ in: 'change', rule: 'aws', path: 'a.ts', side: 'new', line: 3, exchange: null }],
    }),
  ).invocations;
  expect(toolExecutionNotifications.slice(1, 4)).toEqual([
    note('second_opinion', 'no second opinion on the findings: there is no lead'),
    note('known_before', '1 finding suppressed by s.yaml'),
    note('secret_covered', '1 secret covered before anything was sent: a.ts:3 (aws)'),
  ]);
});

function note(id: string, text: string): object {
  return { descriptor: { id }, level: 'note', message: { text } };
}

test('a review that has not ended is an unsuccessful execution without an end', () => {
  const [invocation] = runOf(sampleResults['running'] ?? report()).invocations;
  expect(invocation).toMatchObject({ executionSuccessful: false, exitCode: 4 });
  expect(invocation).not.toHaveProperty('endTimeUtc');
});
