import { describe, expect, test } from 'vitest';
import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome } from '../../events/findings.ts';
import type { CoveredFile } from '../outcome/coverage.ts';
import { markSuppressed, reportSuppressions, suppressionsSchema, type Suppressions } from './suppressions.ts';
import { finding } from './findings.test-helper.ts';
import { identityBeside, identityOf } from './fingerprint.ts';

type Entry = Suppressions['entries'][number];
const day = '2026-11-22';
const rounding = finding({
  severity: 'important',
  identity: '3a52da30c45115d2',
  path: 'a.ts',
  title: 'Total is rounded',
  quote: 'x = 1;',
});

function entry(changes: Partial<Entry> = {}): Entry {
  return {
    line: 2,
    identity: null,
    path: null,
    title: null,
    quote: null,
    severity: null,
    reason: 'by design',
    expires: null,
    ...changes,
  };
}

function suppressions(...entries: readonly Partial<Entry>[]): Suppressions {
  return { file: 'known.yaml', entries: entries.map(entry) };
}

function mark(item: Finding, ...entries: readonly Partial<Entry>[]): Finding['suppressed'] {
  return markSuppressed([item], suppressions(...entries), day)[0]?.suppressed;
}

const held = { reason: 'by design', expires: null, expired: false };

test.each<[string, Partial<Entry>, Finding['suppressed']]>([
  ['the whole identity', { identity: '3a52da30c45115d2' }, held],
  ['its first digits', { identity: '3a52da30c451' }, held],
  [
    'path and title, whatever the case and the punctuation',
    { path: 'a.ts', title: 'total is *rounded*!' },
    held,
  ],
  ['path and quotation, whatever the white space', { path: 'a.ts', quote: ' x  =\n1;\n' }, held],
  ['another identity', { identity: 'ffffffffffff' }, undefined],
  ['another path', { path: 'b.ts', title: 'Total is rounded' }, undefined],
  ['another title', { path: 'a.ts', title: 'Total' }, undefined],
  ['another quotation', { path: 'a.ts', quote: 'x = 2;' }, undefined],
  ['all but one of what is given', { path: 'a.ts', title: 'Total is rounded', quote: 'y' }, undefined],
])('an entry with %s', (_what, given, expected) => {
  expect(mark(rounding, given)).toEqual(expected);
});

test.each([
  [null, ['important', 'minor']],
  ['critical', ['critical', 'important', 'minor']],
  ['important', ['important', 'minor']],
  ['minor', ['minor']],
] as const)('an entry of the severity %s covers %j', (severity, covered) => {
  const entries = suppressions({ path: 'a.ts', title: 'Total is rounded', severity });
  const marks = (['critical', 'important', 'minor'] as const).map((found) =>
    markSuppressed([finding({ ...rounding, severity: found })], entries, day),
  );
  const counted = marks.flat().filter(countsInOutcome);
  expect(
    marks
      .flat()
      .filter(({ suppressed }) => suppressed)
      .map((one) => one.severity),
  ).toEqual(covered);
  expect(counted.map(({ known_as }) => known_as)).toEqual(counted.map(() => severity ?? 'important'));
});

test('an entry from the input of an earlier version has no severity, and is read as such', () => {
  const { severity: _severity, ...former } = entry({ identity: '3a52da30c451' });
  const read = suppressionsSchema.parse({ file: 'known.yaml', entries: [former] });
  expect(markSuppressed([rounding], read, day)[0]?.suppressed).toEqual(held);
  expect(markSuppressed([{ ...rounding, severity: 'critical' }], read, day)[0]).toMatchObject({
    known_as: 'important',
  });
});

const id = { identity: '3a52da30c451' };

function marked(expires: string): Finding | undefined {
  return markSuppressed([rounding], suppressions({ ...id, expires }), day)[0];
}

describe('an entry with an end', () => {
  test('is valid through its last day; then the finding counts again and says so', () => {
    expect(marked('2026-11-22')).toMatchObject({ suppressed: { expires: '2026-11-22', expired: false } });
    expect(marked('2026-11-21')).toMatchObject({ suppressed: { expires: '2026-11-21', expired: true } });
    const counts = ['2026-11-22', '2026-11-21'].map((expires) =>
      countsInOutcome(marked(expires) ?? rounding),
    );
    expect(counts).toEqual([false, true]);
  });

  test('that has expired gives way to a valid one', () => {
    expect(mark(rounding, { ...id, expires: '2020-01-01', reason: 'old' }, { ...id, reason: 'new' })).toEqual(
      {
        reason: 'new',
        expires: null,
        expired: false,
      },
    );
  });
});

function report(
  list: Suppressions,
  statuses: Readonly<Record<string, CoveredFile['status']>> = { 'a.ts': 'reviewed' },
  findings: readonly Finding[] = [rounding],
) {
  const files = Object.entries(statuses).map(([path, status]) => ({
    path,
    status,
    reason: null,
    skippedBy: null,
    receipts: [],
  }));
  return reportSuppressions(list, markSuppressed(findings, list, day), { coverage: { files }, day });
}

describe('the report', () => {
  test('counts suppressed findings, and lists expired entries with the findings that count again', () => {
    expect(report(suppressions({ identity: '3a52da30c451' }))).toEqual({
      file: 'known.yaml',
      suppressed: 1,
      expired: [],
      unused: [],
    });
    const over = { path: 'a.ts', title: 'Total is rounded', expires: '2026-01-31', line: 4 };
    const gone = { path: 'a.ts', title: 'Gone', expires: '2026-02-28', line: 9 };
    expect(report(suppressions(over, gone))).toEqual({
      file: 'known.yaml',
      suppressed: 0,
      expired: [
        { line: 4, reason: 'by design', expires: '2026-01-31', findings: 1 },
        { line: 9, reason: 'by design', expires: '2026-02-28', findings: 0 },
      ],
      unused: [],
    });
  });

  test.each<[string, Partial<Entry>, Record<string, CoveredFile['status']>, boolean]>([
    ['in a file that was reviewed', { path: 'a.ts', title: 'Gone' }, { 'a.ts': 'reviewed' }, true],
    ['in a file that rules looked at', { path: 'a.ts', title: 'Gone' }, { 'a.ts': 'scanned' }, true],
    [
      'in a file that is no part of the change',
      { path: 'b.ts', title: 'Gone' },
      { 'a.ts': 'reviewed' },
      false,
    ],
    ['in a file that was not shown whole', { path: 'a.ts', title: 'Gone' }, { 'a.ts': 'failed' }, false],
    ['in a file that was skipped', { path: 'a.ts', title: 'Gone' }, { 'a.ts': 'skipped' }, false],
    ['by identity, where all was looked at', { identity: 'ffffffffffff' }, { 'a.ts': 'reviewed' }, true],
    [
      'by identity, where something was missed',
      { identity: 'ffffffffffff' },
      { 'a.ts': 'reviewed', 'b.ts': 'failed' },
      false,
    ],
    ['by identity, where nothing was looked at', { identity: 'ffffffffffff' }, {}, false],
  ])('an entry that fits nothing %s', (_where, given, statuses, isUnused) => {
    expect(report(suppressions(given), statuses).unused).toHaveLength(isUnused ? 1 : 0);
  });
});

function titlesCovered(findings: readonly Finding[], identity: string): readonly string[] {
  return markSuppressed(findings, suppressions({ identity }), day).flatMap(({ title, suppressed }) =>
    suppressed === undefined ? [] : [title],
  );
}

describe('the identity of an entry and the class of a finding', () => {
  const anchor = { line: 'x = 1;', symbol: null, ordinal: 1 };
  const classed = (claim: Finding['claim'], title: string): Finding => {
    const key = { path: 'a.ts', anchor, title, ...(claim === undefined ? {} : { claim }) };
    return finding({ ...key, severity: 'minor', identity: identityOf(key) });
  };
  const plain = classed(undefined, 'Plain');
  const security = classed('security', 'Security');
  const tests = classed('tests', 'Tests');
  test('an entry of a class covers no other class', () => {
    expect(titlesCovered([security, tests], security.identity)).toEqual(['Security']);
  });

  test('an entry of a version without classes covers the first finding at its anchor, as before', () => {
    expect(titlesCovered([security, tests], plain.identity)).toEqual(['Security']);
    expect(titlesCovered([security, tests], identityBeside(plain.identity, 'Tests'))).toEqual(['Tests']);
  });

  test('an entry of a class covers a finding without one', () => {
    expect(titlesCovered([plain], tests.identity)).toEqual(['Plain']);
    const { suppressed } = reportSuppressions(
      suppressions({ identity: tests.identity }),
      markSuppressed([plain], suppressions({ identity: tests.identity }), day),
      { coverage: { files: [] }, day },
    );
    expect(suppressed).toBe(1);
  });
});
