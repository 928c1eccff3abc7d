/** The input of a new run: the change is read while the advisor's program is probed. */
import { warmUpAdvisor } from '../agents/advisor-choice.ts';
import { advisorQuestion } from '../agents/advisor-question.ts';
import type { EarlyRun } from './early-agent.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';
import type { PreparedChange, ReviewOptions } from './prepare.ts';
import type { ReadChange } from './read-change.ts';

export interface TakeHooks {
  /** The run, if this process drives it: its agent starts at once. Given up if the run does not start. */
  readonly early?: EarlyRun | null;
  /** Called when the change is read and no advisor is available. */
  readonly onRefusal?: (error: unknown, change: PreparedChange) => Promise<never>;
}

export interface TakenInput {
  readonly input: ReviewRunInput;
  readonly change: ReadChange;
}

/** @throws CollabError `input`, `empty_input`, `range`, `usage`, `cli_missing`, `auth`, `options` */
export async function takeInput(
  options: ReviewOptions,
  { onRefusal, early = null }: TakeHooks = {},
): Promise<TakenInput> {
  const notNeeded = new AbortController();
  const signal = AbortSignal.any([options.signal, notNeeded.signal]);
  const warming = { ...options, signal };
  const warmedUp = early?.warmUp(warming) ?? warmUpAdvisor(advisorQuestion(warming), () => null);
  const giveUp = async (): Promise<void> => {
    notNeeded.abort();
    await warmedUp;
    await early?.giveUp();
  };
  try {
    // The advisor's program starts before anything else is loaded: loading the change reader takes longer than loading
    // what starts the program.
    await warmedUp;
    const { prepareReview, takeChange } = await import('./prepare.ts');
    const change = await takeChange(options, { keeps: true });
    if (change.read.counted.files.length === 0) await giveUp();
    const input = await prepareReview(options, change).catch((error: unknown) => {
      if (onRefusal === undefined) throw error;
      return onRefusal(error, change);
    });
    return { input, change: change.read };
  } catch (error) {
    await giveUp();
    throw error;
  }
}
