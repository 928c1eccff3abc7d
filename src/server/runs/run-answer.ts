/** An answer to what a run asks: the value that its schema asks for, or the words that a person would write. */
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { recordsSoFar } from '../../engine/journal/recorded-events.ts';
import { maskValue } from '../../secrets/mask-events.ts';
import { answerRun } from '../../engine/drive/other-process.ts';
import { findOwner } from '../../engine/lock/lock.ts';
import { recall } from '../../engine/drive/run-state.ts';
import { takeAnswer } from '../../runs/calls/parse-user-answer.ts';
import type { ConversationPlace } from '../conversations/conversations.ts';
import { notThere, Refusal } from '../routes/problem.ts';
import { aboutRun, type RunPlace } from './run-view.ts';
import type { ServerContext } from '../routes/server-context.ts';

export const answerSchema = z.strictObject({
  /** Of the question's schema. A text is read as `collab answer` reads it: Markdown with its sections, a word of a gate. */
  value: z.json(),
});

export interface GivenAnswer {
  readonly run: RunPlace;
  /** Of the question. */
  readonly name: string;
  readonly value: z.infer<ReturnType<typeof z.json>>;
}

/** Records it, and drives the run on where nobody does. @throws Refusal 404, 409; CollabError `input` where it does not fit */
export async function answerQuestion(
  { runs, clock }: Pick<ServerContext, 'runs' | 'clock'>,
  place: ConversationPlace,
  { run, name, value }: GivenAnswer,
): Promise<void> {
  const { folder: runFolder, runId } = run;
  const memory = recall(recordsSoFar(runFolder));
  const question = memory.questions.get(name);
  if (question === undefined) throw notThere(`The run asks nothing called ${name}`);
  if (question.answered !== null || memory.ended !== null) throw answeredAlready(name);
  // Whoever writes an answer may paste a secret into it.
  const taken = typeof value === 'string' ? await takeAnswer(question.asked, value) : await maskValue(value);
  await answerRun({ runFolder, clock, name, value: taken, by: 'user' });
  if ((await findOwner(runFolder)) !== null) return;
  const begun = { run_id: runId, ...aboutRun(run), state: 'running', starts: 1 } as const;
  await runs.goOn(place, begun).catch(leaveToOther);
}

/** Whoever was faster drives it. */
function leaveToOther(error: unknown): void {
  if (!(error instanceof CollabError) || error.code !== 'locked') throw error;
}

function answeredAlready(name: string): Refusal {
  return new Refusal({ status: 409, detail: `The question ${name} has its answer already` });
}
