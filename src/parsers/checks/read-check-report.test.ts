import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { readSarifResults } from './read-sarif.ts';
import { readCheckReport } from './read-check-report.ts';

const result = (level: string, uri: string, startLine: number, more: object = {}) => ({
  level,
  ruleId: 'no-x',
  message: { text: `about ${uri}` },
  locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }],
  ...more,
});
const sarif = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'lint' } },
      results: [
        result('note', 'a.ts', 1),
        result('error', 'file:///code/src/b%20c.ts', 2),
        result('warning', 'd.ts', 3, { suppressions: [{ kind: 'inSource' }] }),
        result('none', 'e.ts', 4, { kind: 'pass' }),
        { message: { text: 'nowhere' } },
      ],
    },
    { tool: { driver: { name: 'types' } } },
  ],
});

test.each(['lint.sarif', 'lint.json', 'unnamed'])(
  'SARIF in %s is read as results, the worst first',
  (name) => {
    expect(readCheckReport(name, sarif)).toEqual({
      summary: '3 results of lint, types',
      items: [
        {
          path: '/code/src/b c.ts',
          text: 'error lint no-x /code/src/b c.ts:2: about file:///code/src/b%20c.ts',
        },
        { path: null, text: 'warning lint : nowhere' },
        { path: 'a.ts', text: 'note lint no-x a.ts:1: about a.ts' },
      ],
    });
  },
);

const junit = `<?xml version="1.0"?>
<testsuites><testsuite name="all">
  <testcase classname="Sum" name="adds" file="test/sum.py" line="4"><failure message="1 &lt; 2">
Traceback
<![CDATA[assert 1 == 2]]></failure></testcase>
  <testcase classname="Sum" name="subtracts"/>
  <testcase classname="Sum" name="later"><skipped/></testcase>
  <testcase name="twice"><error message="boom"/><system-out>noise</system-out></testcase>
</testsuite></testsuites>`;

test.each(['junit.xml', 'unnamed'])('JUnit XML in %s is read as failures with their places', (name) => {
  expect(readCheckReport(name, junit)).toEqual({
    summary: '2 of 4 tests failed, 1 skipped',
    items: [
      {
        path: 'test/sum.py',
        text: 'failed: Sum › adds (test/sum.py:4): 1 < 2\n  \n  Traceback\n  assert 1 == 2',
      },
      { path: null, text: 'failed: twice: boom' },
    ],
  });
});

test('a suite that could not start is a failure', () => {
  expect(readCheckReport('x.xml', '<testsuite><error>no such module</error></testsuite>')).toEqual({
    summary: '0 of 0 tests failed, 0 skipped',
    items: [{ path: null, text: 'failed: no such module' }],
  });
});

test('of a long log the beginning and the end are kept', () => {
  const log = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\r\n');
  const { summary, items } = readCheckReport('build.log', log);
  expect(summary).toBe('5000 lines of text');
  expect(items).toHaveLength(1);
  expect(items[0]?.text).toMatch(/^line 0\nline 1\n[^]*\n\[cut: \d+ lines\]\n[^]*\nline 4999$/);
  expect(items[0]?.text.length).toBeLessThan(6100);
});

test('an unknown text and an empty one are no results of a tool', () => {
  expect(readCheckReport('x.log', '{ "message": "started" }').summary).toBe('1 line of text');
  expect(readCheckReport('x.log', ' \n')).toEqual({ summary: 'empty', items: [] });
});

test.each([
  ['not JSON', 'x.sarif', '{"runs": [', /^x\.sarif cannot be read as the report of a check: .*JSON/],
  ['another JSON', 'x.json', '{"tests": 3}', /not SARIF: runs: /],
  [
    'a result of a wrong type',
    'x.sarif',
    '{"runs":[{"tool":{"driver":{"name":"a"}},"results":[3]}]}',
    /not SARIF: runs\.0\.results\.0: /,
  ],
  ['nested deeper than a parser can', 'x.sarif', '['.repeat(200_000), /x\.sarif cannot be read/],
  ['cut XML', 'x.xml', '<testsuite><testcase name="a">', /line 1.*unclosed tag/i],
  ['another XML', 'x.xml', '<html></html>', /not JUnit: <html>/],
  ['no XML', 'x.xml', 'all passed', /cannot be read/],
  [
    'an entity of its own',
    'x.xml',
    '<!DOCTYPE a [<!ENTITY b "c">]><testsuite><testcase name="&b;"/></testsuite>',
    /entity/,
  ],
])('a report that is %s is refused with its place', (_what, name, text, message) => {
  let refusal: unknown = null;
  try {
    readCheckReport(name, text);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(CollabError);
  expect(refusal).toMatchObject({
    code: 'input',
    message: expect.stringMatching(message),
    hint: expect.stringMatching(/SARIF/),
  });
});

test('a security severity from 0 to 10 counts, and no other number', () => {
  const results = ['0', '9.8', '-1', '11', 'high'].map((severity) => ({
    ruleId: severity,
    message: { text: 'x' },
    properties: { 'security-severity': severity },
  }));
  const text = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'scan' } }, results }] });
  const read = readSarifResults('x.sarif', text).results;
  expect(read.map(({ security }) => security)).toEqual([0, 9.8, null, null, null]);
});
