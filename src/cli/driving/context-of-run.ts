import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { createDiffContext, type ContextOf } from '../../views/reports/diff-context.ts';

/** Returns the lines of the reviewed change around a finding, `around` on each side; null if the run reviews no change. */
export async function contextOfRun(run: OpenedRun, around?: number): Promise<ContextOf | null> {
  if (run.input.kind !== 'review') return null;
  const { counted } = await run.change();
  return createDiffContext(counted.files, around);
}
