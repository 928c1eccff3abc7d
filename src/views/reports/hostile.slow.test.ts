import * as fc from 'fast-check';
import { test } from 'vitest';
import { expectInertReports, resultSaying } from '../../../test/fixtures/reports/expect-inert.ts';
import { nasty } from '../../../test/fixtures/reports/nasty-text.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';

/** A result whose every text is foreign. */
const hostileResult = fc
  .tuple(
    nasty,
    nasty,
    nasty,
    nasty,
    fc.constantFrom('incomplete', 'findings'),
    fc.constantFrom('new', 'old', null),
  )
  .map(([title, body, path, quote, outcome, side]): ReviewResult => {
    const result = resultSaying({ title, body, path: path === '' ? 'a' : path, quote }, { outcome });
    const lines = side === null ? { start_line: null, end_line: null } : {};
    return { ...result, findings: result.findings.map((finding) => ({ ...finding, side, ...lines })) };
  });

test('X000-6.2 in no report does a foreign text act: on a terminal, on a runner, on a page, in a comment', async () => {
  await fc.assert(fc.asyncProperty(hostileResult, expectInertReports));
});
