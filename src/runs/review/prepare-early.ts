/** The input of a new run: the change is taken while the advisor's program is looked at. */
import { warmUpAdvisor } from '../agents/advisor-choice.ts';
import { advisorQuestion } from '../agents/advisor-question.ts';
import type { EarlyRun } from './early-agent.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';
import type { PreparedChange, ReviewOptions } from './prepare.ts';

export interface TakeHooks {
  /** The run, where it is driven in this process: its agent is begun at once. It is given up where it does not begin. */
  readonly early?: EarlyRun | null;
  /** The change is taken, and the advisor's program has still to answer. */
  readonly onTaken?: () => void;
  /** The change is taken, and nobody can advise. */
  readonly onRefusal?: (error: unknown, change: PreparedChange) => Promise<never>;
}

/** @throws CollabError `input`, `empty_input`, `range`, `usage`, `cli_missing`, `auth`, `options` */
export async function takeInput(
  options: ReviewOptions,
  { onTaken, onRefusal, early = null }: TakeHooks = {},
): Promise<ReviewRunInput> {
  const notNeeded = new AbortController();
  const signal = AbortSignal.any([options.signal, notNeeded.signal]);
  const warmedUp = warmUpAdvisor(
    advisorQuestion({ ...options, signal }),
    (model) => early?.expect(model) ?? null,
  );
  const giveUp = async (): Promise<void> => {
    notNeeded.abort();
    await warmedUp;
    await early?.giveUp();
  };
  try {
    // Its program is started before anything else is loaded: what reads a change takes longer to load than what starts it.
    await warmedUp;
    const { prepareReview, takeChange } = await import('./prepare.ts');
    const change = await takeChange(options);
    if (change.read.counted.files.length === 0) await giveUp();
    onTaken?.();
    return await prepareReview(options, change).catch((error: unknown) => {
      if (onRefusal === undefined) throw error;
      return onRefusal(error, change);
    });
  } catch (error) {
    await giveUp();
    throw error;
  }
}
