import { expect, test } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import type { CoveredSecret } from '../../review/outcome/result.ts';
import { coveredLines } from './covered-lines.ts';

const inChange: CoveredSecret = {
  in: 'change',
  rule: 'github_token',
  path: 'src/a.ts',
  side: 'new',
  line: 3,
  exchange: null,
};
const inAnswer: CoveredSecret = {
  in: 'answer',
  rule: 'npm_token',
  path: null,
  side: null,
  line: null,
  exchange: 'chunk-1',
};

test('masked secrets are listed by kind and place, those of the change separate from those of answers', () => {
  const covered = [inChange, { ...inChange, side: 'old', line: 9 } as const, inAnswer];
  expect(coveredLines(report({ covered_secrets: covered }))).toEqual([
    '2 secrets covered before anything was sent: src/a.ts:3 (github_token), src/a.ts:9 (removed) (github_token)',
    '1 secret covered in answers: chunk-1 (npm_token)',
  ]);
  expect(coveredLines(report())).toEqual([]);
});

test('of many secrets the first five are named', () => {
  const [line] = coveredLines(report({ covered_secrets: Array.from({ length: 8 }, () => inChange) }));
  expect(line).toMatch(
    /^8 secrets .*: (?:src\/a\.ts:3 \(github_token\), ){4}src\/a\.ts:3 \(github_token\) and 3 more$/,
  );
});
