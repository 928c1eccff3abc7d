import { expect, test } from 'vitest';
import { findings } from '../../test/fixtures/reports/sample-report.ts';
import { renderWorkOrder } from '../prompts/lead/work-order.ts';
import { workOrderMaker } from './work-order.ts';

test('what a browser copies as a prompt is what collab show --as-prompt prints, to the byte', async () => {
  const make = workOrderMaker();
  expect(await make?.(findings)).toBe(renderWorkOrder(findings));
  expect(await make?.([])).toBe(renderWorkOrder([]));
});
