/** Findings and changes of a pull request that lives through several rounds. */
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import type { Finding } from '../../events/collab-event.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { sha256 } from '../../text/digest.ts';

export const headOf = (round: number): string => String(round).repeat(40).slice(0, 40);

/** The diff of new files, by path. */
export function diffOf(files: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(files)
    .map(([path, lines]) => {
      const head = `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 0000000..2222222\n--- /dev/null\n+++ b/${path}\n`;
      return `${head}@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
    })
    .join('');
}

export interface FindingOnLine extends Partial<Finding> {
  readonly path: string;
  readonly line: number;
  readonly quote: string;
}

/** A finding that quotes one line. */
export function findingOn({ line, quote, path, ...more }: FindingOnLine): Finding {
  return finding({
    id: `${path}:${line}`,
    identity: sha256(`${quote}${more.title ?? ''}`),
    anchor: { line: quote.trim(), symbol: null, ordinal: 1 },
    path,
    start_line: line,
    end_line: line,
    quote: `${quote}\n`,
    ...more,
  });
}

/** A review of a whole change; `head` null: of its text. */
export function roundResult(
  files: Readonly<Record<string, readonly string[]>>,
  found: readonly Finding[],
  more: Partial<ReviewResult> = {},
): ReviewResult {
  const paths = Object.keys(files);
  return report({
    outcome: found.length === 0 ? 'clean' : 'findings',
    findings: [...found],
    exit_code: found.length === 0 ? 0 : 1,
    fail_on: 'minor',
    suggestions: [],
    strengths: [],
    coverage: {
      files_changed: paths.length,
      lines_changed: 10,
      lines_reviewed: 10,
      lines_scanned: 0,
      files: paths.map((path) => ({ path, status: 'reviewed' as const, receipts: [] })),
    },
    ...more,
  });
}
