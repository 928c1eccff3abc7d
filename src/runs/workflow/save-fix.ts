/** Writes the result of a fix as data for another job: `collab comment --fix` publishes it. */
import type { FixResult } from '../../forge/commands/fix-result.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { readResult } from '../folder/result-file.ts';
import { readPatch, type ApplyRunOptions } from './apply.ts';

export interface SaveFixOptions extends Omit<ApplyRunOptions, 'cwd'> {
  /** Absolute. */
  readonly file: string;
}

const longestReason = 2000;

/** Resolves with false, without a file, for a run that has not ended. @throws CollabError `input` if its folder is gone */
export async function saveFixResult({ file, ...options }: SaveFixOptions): Promise<boolean> {
  const { runId, path } = options.run;
  const result = readResult(path);
  if (result?.schema !== 'collab.review/v1' || result.state !== 'ended' || result.fix === undefined)
    return false;
  const saved: FixResult = {
    schema: 'collab.fix/v1',
    run_id: runId,
    head: result.input.base,
    findings: result.fix.findings.map(({ id, fate, reason }) => ({
      id,
      fate,
      reason: reason?.slice(0, longestReason) ?? null,
    })),
    patch: await readPatch(options),
  };
  writeAtomically(file, `${JSON.stringify(saved)}\n`, { shared: true });
  return true;
}
