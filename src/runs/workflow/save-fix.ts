/** Writes the result of a fix as data for another job: `collab comment --fix` publishes it. */
import { CollabError } from '../../errors/collab-error.ts';
import type { FixResult } from '../../forge/commands/fix-result.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { readResult } from '../folder/result-file.ts';
import { readPatch, type ApplyRunOptions } from './apply.ts';

export interface SaveFixOptions extends Omit<ApplyRunOptions, 'cwd'> {
  /** Absolute. */
  readonly file: string;
}

const longestReason = 2000;

/** @throws CollabError `usage` for a run that has not ended; `input` if its folder is gone */
export async function saveFixResult({ file, ...options }: SaveFixOptions): Promise<void> {
  const { runId, path } = options.run;
  const result = readResult(path);
  if (result?.schema !== 'collab.review/v1' || result.state !== 'ended' || result.fix === undefined)
    throw new CollabError('usage', `${runId} has not ended: it has no result for --result`, {
      hint: 'Add --yes, so that no gate waits for an answer.',
    });
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
}
