/** Takes an answer to a run's question: a value that fits its schema, or text as the user would write it. */
import { z } from 'zod';
import { requireMay } from '../../access/require.ts';
import type { Speaker } from '../../access/speaker.ts';
import { maskValue } from '../../secrets/mask-events.ts';
import { letsEditsIn } from '../../runs/calls/gate-question.ts';
import { takeAnswer } from '../../runs/calls/parse-user-answer.ts';
import type { ConversationPlace, ServedRun } from '../conversations/conversations.ts';
import { conflict, notThere, type Refusal } from '../routes/problem.ts';
import { aboutRun, type RunPlace } from './run-view.ts';
import type { ServerContext } from '../routes/server-context.ts';

export const answerSchema = z.strictObject({
  /**
   * Fits the question's schema. A text is read like the text of `collab answer`: Markdown with its sections, or a gate's word.
   */
  value: z.json(),
});

export interface PostedAnswer {
  readonly run: RunPlace;
  /** The caller who answers. */
  readonly speaker: Speaker;
  /** The question's name. */
  readonly name: string;
  readonly value: z.infer<ReturnType<typeof z.json>>;
}

/**
 * Records the answer, and resumes the run if no process drives it.
 * @throws Refusal 404, 409; CollabError `input` if it does not fit, `forbidden` for a gate
 */
export async function answerQuestion(
  { runs, engine }: Pick<ServerContext, 'runs' | 'engine'>,
  place: ConversationPlace,
  { run, speaker, name, value }: PostedAnswer,
): Promise<void> {
  const { questions, ended } = await engine.status(run);
  const question = questions.get(name);
  if (question === undefined) throw notThere(`The run has no question ${name}`);
  if (question.answered !== null || ended !== null) throw answeredAlready(name);
  // The user may paste a secret into an answer.
  const taken = typeof value === 'string' ? await takeAnswer(question.asked, value) : maskValue(value);
  if (question.asked.kind === 'gate') {
    const does = letsEditsIn(question.asked, taken) ? 'bring edits into the files' : 'decide at a gate';
    requireMay(speaker, { does }, `this answer to ${name}`);
  }
  await engine.answer(run, { name, value: taken, by: 'user' });
  if (await engine.isDriven(run)) return;
  const { kind, title, subject } = await aboutRun(engine, run);
  const { grants, token } = run.known ?? { grants: [], token: null };
  const begun: ServedRun = {
    run_id: run.runId,
    kind,
    title,
    subject,
    state: 'running',
    starts: 1,
    grants: [...grants],
    token,
  };
  await runs.goOn(place, begun);
}

function answeredAlready(name: string): Refusal {
  return conflict(`The question ${name} is already answered`);
}
