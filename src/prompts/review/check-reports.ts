/** Results of tests, types and linters about the change, as far as they belong to a chunk. */
import { z } from 'zod';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { cutText } from './cut-text.ts';

export const checkReportSchema = z.object({
  /** The file name. */
  name: z.string(),
  /** One line: counts. */
  summary: z.string(),
  /** Failures and results, the worst first. */
  items: z.array(
    z.object({
      /** The changed file that it is about; null if it is about none. */
      path: z.string().nullable(),
      text: z.string(),
    }),
  ),
});
/** Masked. */
export type CheckReport = z.infer<typeof checkReportSchema>;

/** In bytes, of all reports in one request. */
const mostBytes = 8 * 1024;

/**
 * Selects the items of a chunk: those about its files first, then those about no changed file. Items about files of other chunks are
 * in the requests of those.
 */
export function checkReportsFor(
  files: readonly DiffFile[],
  reports: readonly CheckReport[],
): readonly { readonly name: string; readonly text: string }[] {
  const own = new Set<string | null>(files.map(({ path }) => path));
  const share = Math.floor(mostBytes / Math.max(1, reports.length));
  return reports.map(({ name, summary, items }) => {
    const shown = [
      ...items.filter(({ path }) => own.has(path)),
      ...items.filter(({ path }) => path === null),
    ];
    const text = [summary, ...shown.map((item) => item.text)].join('\n');
    return { name, text: cutText(text, share) };
  });
}
