import { expect, test } from 'vitest';
import { consultFormats } from '../../views/reports/report-formats.ts';
import { takeConsultFormat } from './fitting-format.ts';

test('a consult is told in its own formats, and refused as findings with what there is', () => {
  expect(consultFormats.map(takeConsultFormat)).toEqual(['terminal', 'json', 'markdown']);
  expect(() => takeConsultFormat('sarif')).toThrowError(
    expect.objectContaining({
      code: 'usage',
      message: 'a consult has no findings, and sarif shows nothing else',
      hint: 'use one of terminal, json, markdown',
    }),
  );
});
