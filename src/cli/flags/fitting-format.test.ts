import { expect, test } from 'vitest';
import { consultFormats } from '../../views/reports/report-formats.ts';
import { takeConsultFormat } from './fitting-format.ts';

test('a consult is printed in its own formats; findings formats are refused with a list of them', () => {
  expect(consultFormats.map(takeConsultFormat)).toEqual(['terminal', 'json', 'markdown']);
  expect(() => takeConsultFormat('sarif')).toThrowError(
    expect.objectContaining({
      code: 'usage',
      message: 'a consult has no findings, and sarif shows nothing else',
      hint: 'use one of terminal, json, markdown',
    }),
  );
});
