import { expect, test } from 'vitest';
import { expectWhole, reportsOf } from '../../../test/fixtures/reports/expect-whole.ts';
import { faultsOf, schemaFormats } from '../../../test/fixtures/reports/published-schemas.ts';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { sampleResults } from '../../../test/fixtures/reports/sample-results.ts';
import type { Finding } from '../../events/collab-event.ts';
import { renderReport } from './report-formats.ts';

test.each(Object.entries(sampleResults))(
  '%s: every format is valid by its schema and has each finding and the outcome',
  async (_, result) => {
    const reports = await reportsOf(result);
    expect(schemaFormats.map((format) => [format, faultsOf(format, reports[format])])).toEqual(
      schemaFormats.map((format) => [format, []]),
    );
    expectWhole(result, reports);
  },
);

test.each(['terminal', 'markdown', 'sarif', 'rdjson', 'github', 'gitlab'] as const)(
  '%s has the class of a finding, its replacement, and the reason why one does not count',
  async (format) => {
    const textOf = (more: Partial<Finding>) =>
      renderReport(format, report({ findings: [finding(more)] }), { columns: 200, color: false });
    const replaced = await textOf({ claim: 'data_loss', replacement: 'const total = subtotal;' });
    for (const said of ['data loss', 'Replacement:', 'const total = subtotal;'])
      expect(replaced).toContain(said);
    expect(await textOf({ replacement: '' })).toContain('Replacement: remove these lines');
    expect(await textOf({ replacement_unused: 'quotation' })).toContain(
      'its replacement does not count: the lines that it replaces were not found exactly',
    );
    expect(await textOf({})).not.toContain('eplacement');
  },
);

test.each(['terminal', 'markdown', 'rdjson', 'github', 'gitlab'] as const)(
  '%s: the next step of a run in a database finds it there',
  async (format) => {
    const result = report({ state: 'interrupted' });
    const shown = await renderReport(format, result, { columns: 200, color: false, remote: ' --remote' });
    expect(shown.replaceAll('\\', '')).toContain(`collab wait ${result.run_id} --remote follows it`);
  },
);
