/** What the reports read of a `collab.review/v1` result (DESIGN §11). */
import type { FileStatus, Finding, Outcome } from '../events/collab-event.ts';
import type { Severity } from '../tags/tags.ts';

export interface ReviewReport {
  readonly run_id: string;
  readonly state: 'running' | 'waiting' | 'interrupted' | 'ended';
  readonly outcome: Outcome;
  readonly reasons: readonly string[];
  readonly assurance: 'model' | 'static' | 'none';
  readonly coverage: {
    readonly files_changed: number;
    readonly lines_changed: number;
    readonly lines_reviewed: number;
    readonly lines_scanned: number;
    readonly files: readonly ReportedFile[];
  };
  readonly strengths: readonly string[];
  readonly findings: readonly Finding[];
  readonly suggestions: readonly string[];
  readonly fail_on: Severity | 'never';
  readonly exit_code: number;
}

export interface ReportedFile {
  readonly path: string;
  readonly status: FileStatus;
  readonly reason?: string | undefined;
}
