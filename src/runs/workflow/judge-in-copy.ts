/** Judges the fixes of a round by the files of the lead's copy. */
import type { RunContext } from '../../engine/port.ts';
import type { JudgeFixesInput } from '../../machine/workflow/workflow-types.ts';
import { judgeFixes, type JudgedFix } from '../../review/findings/judge-fixes.ts';
import { textInCopy } from '../review/search-copy.ts';
import type { WorkflowDrive } from './types.ts';

/** The judgement is a step: the files of the copy are gone when a run that has ended is continued. */
export function judgeInCopy(
  context: RunContext,
  { copy }: Pick<WorkflowDrive, 'copy'>,
  { phase, round, tree, chosen, answers, reported }: JudgeFixesInput,
): Promise<readonly JudgedFix[]> {
  return context.step<readonly JudgedFix[]>(`${phase}/${round}/judge`, { tree, answers }, async () => {
    const paths = new Set(chosen.flatMap(({ path }) => path ?? []));
    const texts = await Promise.all(
      [...paths].map(async (path) => [path, await textInCopy(copy.folder, path)] as const),
    );
    return { value: judgeFixes({ chosen, answers, reported, texts: new Map(texts) }) };
  });
}
