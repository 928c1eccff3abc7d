import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { fixResultSchema } from '../../forge/commands/fix-result.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { consultInput, consultResult, fixInput, savedRun } from '../folder/saved-runs.test-helper.ts';
import type { RunResult } from '../folder/result-file.ts';
import { saveFixResult } from './save-fix.ts';

const head = 'ab'.repeat(20);

function fixedBy(findings: NonNullable<ReviewResult['fix']>['findings'], more: Partial<ReviewResult> = {}) {
  const input = { kind: 'fix', base: head, head: 'cd'.repeat(20), digest: 'd' } as const;
  return report({ run_id: 'r1', input, fix: { run: 'r0', findings }, ...more });
}

const refused = {
  id: 'F1',
  identity: 'identity',
  severity: 'critical',
  title: 'title',
  path: 'a.ts',
  start_line: 1,
  fate: 'refused',
  reason: 'x'.repeat(3000),
  now: null,
} as const;

async function saved(result: RunResult | null) {
  const folder = scratchFolder();
  const file = join(folder, 'fix.json');
  const input =
    result?.schema === 'collab.consult/v1' ? consultInput() : fixInput({ run: 'r0', findings: [finding()] });
  const run = savedRun(join(folder, '.collab'), 'r1', input, result);
  const isSaved = await saveFixResult({ run, env: process.env, file });
  return { isSaved, text: existsSync(file) ? readFileSync(file, 'utf8') : null };
}

test('the fates and the commit are saved in the form that the publishing job reads', async () => {
  const { isSaved, text } = await saved(
    fixedBy([refused, { ...refused, id: 'F2', fate: 'fixed', reason: null }]),
  );
  expect(isSaved).toBe(true);
  expect(fixResultSchema.parse(JSON.parse(text ?? ''))).toEqual({
    schema: 'collab.fix/v1',
    run_id: 'r1',
    head,
    findings: [
      { id: 'F1', fate: 'refused', reason: 'x'.repeat(2000) },
      { id: 'F2', fate: 'fixed', reason: null },
    ],
    patch: null,
  });
  expect(text).toMatch(/\}\n$/);
});

test.each<[string, RunResult | null]>([
  ['has not ended', fixedBy([refused], { state: 'interrupted' })],
  ['fixes nothing', report({ run_id: 'r1' })],
  ['is a consult', consultResult({ run_id: 'r1' })],
  ['has no result', null],
])('a run that %s leaves no file', async (_title, result) => {
  expect(await saved(result)).toEqual({ isSaved: false, text: null });
});
