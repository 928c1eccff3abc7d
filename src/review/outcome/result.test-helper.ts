/** A whole result for the tests of this folder. */
import type { ReviewResult } from './result.ts';
import { finding } from '../findings/findings.test-helper.ts';

export function exampleResult(changes: Partial<ReviewResult> = {}): ReviewResult {
  return {
    schema: 'collab.review/v1',
    collab_version: '0.9.1',
    run_id: 'r-1',
    state: 'ended',
    outcome: 'findings',
    reasons: ['findings_at_threshold: 1 finding critical, 1 in all'],
    assurance: 'model',
    advisor: { provider: 'codex', model: 'm', version: '0.169.0' },
    lead: null,
    started_at: '2026-11-21T09:30:00.000Z',
    ended_at: '2026-11-21T09:31:00.123456Z',
    input: { kind: 'range', base: 'a', head: 'b', digest: 'c' },
    coverage: {
      files_changed: 2,
      lines_changed: 3,
      lines_reviewed: 2,
      lines_scanned: 0,
      files: [
        {
          path: 'a.ts',
          status: 'reviewed',
          receipts: [
            {
              exchange: 'chunk-1',
              prompt_digest: 'p',
              answer_digest: 'q',
              ranges: [{ side: 'new', start: 1, end: 2 }],
              cached: { run_id: 'r-0', answered_at: '2026-11-20T09:30:30.000Z' },
            },
          ],
        },
        { path: 'yarn.lock', status: 'skipped', reason: 'lock file', receipts: [] },
      ],
    },
    strengths: ['Small.'],
    findings: [finding({ remedy: 'Fix.', severity_inferred: true, evidence: 'seen', baseline: false })],
    suggestions: [],
    baseline: {
      run_id: 'r-0',
      ended_at: '2026-11-20T09:31:00.000Z',
      outcome: 'findings',
      new: 1,
      still_there: 0,
      fixed: [{ identity: 'gone', severity: 'minor', title: 'Gone', path: 'a.ts' }],
      not_looked_at: [],
    },
    suppressions: {
      file: 'collab.suppressions.yaml',
      suppressed: 0,
      expired: [{ line: 2, reason: 'known', expires: '2026-11-01', findings: 0 }],
      unused: [{ line: 5, reason: 'by design', expires: null }],
    },
    exchanges: [
      {
        id: 'chunk-1',
        tag: '[REQUEST:REVIEW]',
        attempts: [
          { rejected: 'marker_absent', prompt_bytes: 10, answer_bytes: 5, duration_ms: 3 },
          { prompt_bytes: 10, answer_bytes: 50, duration_ms: 4 },
        ],
      },
    ],
    usage: { input: 1, output: 2, cache_read: 3, cache_write_5m: 0, cache_write_1h: 0, reasoning: 1 },
    cost_usd: 0.01,
    usage_by: [],
    fail_on: 'critical',
    exit_code: 1,
    ...changes,
  };
}
