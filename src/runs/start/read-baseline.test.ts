import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { consultResult } from '../folder/saved-runs.test-helper.ts';
import { readBaseline } from './read-baseline.ts';

test('a baseline is the result of a review, relative to the folder of the request', () => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'before.json'), JSON.stringify(report({ run_id: 'r0' })));
  const { findings } = readBaseline({ cwd }, 'before.json');
  expect(findings.length).toBeGreaterThan(0);
});

test('a missing baseline is refused with the way to the first one, and that of a consult as none', () => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'consult.json'), JSON.stringify(consultResult()));
  expect(() => readBaseline({ cwd }, 'gone.json')).toThrow(
    expect.objectContaining({
      code: 'result_file',
      message: 'the baseline gone.json does not exist',
      hint: 'For the first review, omit --baseline and keep its result with --report json=<file>.',
    }),
  );
  expect(() => readBaseline({ cwd }, 'consult.json')).toThrow('is not the result of a review');
});
