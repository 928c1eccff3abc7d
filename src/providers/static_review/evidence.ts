/** Runs the rules on a change for a review by a model. */
import type { DiffFile } from '../../parsers/diff/types.ts';
import { foldRepeats } from './fold-repeats.ts';
import type { RuleFinding } from './rule-finding.ts';
import { scanChange, type ScanOptions } from './scan-change.ts';

/**
 * Returns the findings with repeats folded, the worst first. `files` are masked, and `options.secrets` are the secrets that
 * were in them. @throws the signal's reason once it is aborted
 */
export async function findByRules(
  files: readonly DiffFile[],
  options: ScanOptions,
  signal: AbortSignal,
): Promise<readonly RuleFinding[]> {
  return foldRepeats(await scanChange(files, signal, options));
}
