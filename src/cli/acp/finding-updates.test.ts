import { expect, test } from 'vitest';
import { finding } from '../../../test/fixtures/reports/sample-report.ts';
import type { Finding } from '../../events/collab-event.ts';
import { findingUpdates } from './finding-updates.ts';

function shown(more: Partial<Finding>) {
  const [update] = findingUpdates('r', [finding(more)], '/project');
  return update;
}

const locationsOf = (more: Partial<Finding>) => Object(shown(more)).locations;

test('a finding is a completed tool call at its line, with everything that is known about it', () => {
  const full = {
    body: 'Why.\n',
    remedy: 'Round once.',
    evidence: 'It is read there.',
    replacement: 'a\nb\n',
  };
  expect(shown(full)).toEqual({
    sessionUpdate: 'tool_call',
    toolCallId: 'r/finding/f1',
    title: 'f1 Critical: Total is rounded before tax',
    kind: 'other',
    status: 'completed',
    content: [
      {
        type: 'content',
        content: {
          type: 'text',
          text: 'src/checkout/total.ts:41 · unverified\n\nWhy.\n\nVerdict: It is read there.\n\nFix: Round once.\n\nReplacement:\n\n```\na\nb\n```',
        },
      },
    ],
    locations: [{ path: '/project/src/checkout/total.ts', line: 41 }],
  });
});

test('a finding that does not count says so, and parts without a text are left out', () => {
  expect(Object(shown({ baseline: true })).title).toBe(
    'f1 Critical: Total is rounded before tax (does not count)',
  );
  expect(Object(shown({ body: ' ' })).content[0].content.text).toBe('src/checkout/total.ts:41 · unverified');
});

test('a place in the old side, without a line or outside of the project is no line of a file', () => {
  const file = { path: '/project/src/checkout/total.ts' };
  expect(locationsOf({ side: 'old' })).toEqual([file]);
  expect(locationsOf({ start_line: null, end_line: null, side: null })).toEqual([file]);
  expect(locationsOf({ path: '../other.ts' })).toEqual([]);
  expect(locationsOf({ path: null })).toEqual([]);
});

test('a long title and a long text are cut, on one line and without control characters', () => {
  const update = Object(shown({ title: `a\u001b\n${'x'.repeat(300)}`, body: 'y'.repeat(9000) }));
  const cut = ' … (cut)';
  const begin = 'f1 Critical: a␛ ';
  expect(update.title).toBe(`${begin}${'x'.repeat(200 - begin.length - cut.length)}${cut}`);
  expect(update.content[0].content.text).toHaveLength(8000);
});

test('the findings are in the order of the report', () => {
  const ids = [finding({ id: 'f1', severity: 'minor' }), finding({ id: 'f2' })];
  expect(findingUpdates('r', ids, '/p').map((update) => Object(update).toolCallId)).toEqual([
    'r/finding/f2',
    'r/finding/f1',
  ]);
});
