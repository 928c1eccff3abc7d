import { expect, test } from 'vitest';
import { findings } from '../../test/fixtures/reports/sample-report.ts';
import { renderWorkOrder } from '../prompts/lead/work-order.ts';
import { workOrderMaker } from './work-order.ts';

test('the prompt that a browser copies has the same bytes as collab show --as-prompt', async () => {
  const make = workOrderMaker();
  expect(await make?.(findings)).toBe(renderWorkOrder(findings));
  expect(await make?.([])).toBe(renderWorkOrder([]));
});
