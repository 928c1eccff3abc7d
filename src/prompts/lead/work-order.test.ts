import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finding, findings } from '../../../test/fixtures/reports/sample-report.ts';
import { readAnswer } from '../../parsers/answers/read-answer.ts';
import { readOutgoing } from '../../parsers/answers/read-outgoing.ts';
import { fencesOf, headingsOf, hostileText, markersOutside } from '../requests.test-helper.ts';
import { renderWorkOrder } from './work-order.ts';

test('a work order lists counting findings, worst first, with place, quotation, why and fix', () => {
  const order = renderWorkOrder(findings);
  expect(order).toMatch(/^A code review left 3 findings for you to fix, worst first\.\n/);
  expect(headingsOf(order)).toEqual([
    '1. Critical: src/checkout/total.ts:41',
    '2. Important: src/checkout/tax.ts:7-8',
    '3. Minor: src/checkout/total.ts',
  ]);
  expect(fencesOf(order, 'text')).toEqual([
    'const total = Math.round(subtotal);',
    'const rate = 0.1;\nexport default rate;',
  ]);
  const said = fencesOf(order, 'markdown');
  expect(said.slice(0, 3)).toEqual([
    'Total is rounded before tax',
    expect.stringMatching(/^Rounding first loses up to half a cent an item;/),
    'Round once, after tax.',
  ]);
  expect(order).toMatch(
    /\n\nWhy:\n\n```markdown data-([0-9a-f]{16})\n[^]+?\n```\nEnd of data-\1\.\n\nFix:\n\n/,
  );
});

test('a work order has the remarks on a finding', () => {
  const order = renderWorkOrder(findings);
  expect(order).toContain('Note: the copied lines were removed by the change; the number is the old one.');
  expect(order).toMatch(/\nDisputed:\n\n```markdown data-\w+\nthe rate is read in config\.ts:3/);
  expect(order).toContain('Note: the reviewer gave no severity; this one is assumed.');
  expect(renderWorkOrder([finding({ placement: 'unplaced' })])).toContain(
    'Note: the copied lines are not in the change.',
  );
});

test('without counting findings a work order says that there is nothing to do', () => {
  const nothing = 'There is nothing to fix: the review has no finding that counts. Change nothing.\n';
  expect(renderWorkOrder([])).toBe(nothing);
  expect(renderWorkOrder([finding({ verdict: 'rejected' }), finding({ baseline: true })])).toBe(nothing);
});

test('X001-14.1,2 whatever a finding says, it opens no heading and no marker of a work order', () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, hostileText, (title, body, remedy, quote) => {
      const order = renderWorkOrder([
        finding({ title, body, remedy, quote, path: title, verdict: 'disputed', evidence: body }),
      ]);
      expect(headingsOf(order)).toHaveLength(1);
      expect(markersOutside(order)).toEqual([]);
      expect(readOutgoing(order)).toBeNull();
      expect(readAnswer(order, '[RESPONSE:REVIEW]').kind).toBe('marker_absent');
      expect(order).toMatch(/That is all\. When you are done[^]*$/);
    }),
  );
});

test('a work order has the lines that the advisor proposes instead of the copied ones', () => {
  const replaced = renderWorkOrder([finding({ replacement: 'const total = sum;\n\n```' })]);
  expect(fencesOf(replaced, 'text')).toEqual([
    'const total = Math.round(subtotal);',
    'const total = sum;\n\n```',
  ]);
  expect(replaced).toContain('Proposed instead of the copied lines:');
  expect(renderWorkOrder([finding({ replacement: '' })])).toContain('Proposed: remove the copied lines.');
});
