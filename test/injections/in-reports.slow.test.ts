/** Every injection of the table as each text of a result, in every format. */
import { expect, test } from 'vitest';
import { injections } from '../fixtures/injections.ts';
import { expectInertReports, resultSaying } from '../fixtures/reports/expect-inert.ts';

test.each(injections)(
  '(c) no output contains it as control sequence, command, HTML, link or mention: $name',
  async ({ text }) => {
    const result = resultSaying({ title: text, body: text, path: text, quote: text });
    await expect(expectInertReports(result)).resolves.toBeUndefined();
  },
);
