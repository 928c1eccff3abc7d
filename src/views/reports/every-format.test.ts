import { expect, test } from 'vitest';
import { expectWhole, reportsOf } from '../../../test/fixtures/reports/expect-whole.ts';
import { faultsOf, schemaFormats } from '../../../test/fixtures/reports/published-schemas.ts';
import { sampleResults } from '../../../test/fixtures/reports/sample-results.ts';

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
