/** `--ask`: what the advisor asks back is put to the person at the terminal. Ctrl-C interrupts the run, as anywhere. */
import { multiline, select, text } from '@clack/prompts';
import { CollabError } from '../errors/collab-error.ts';
import type { Answerer, AskedQuestion, GivenAnswer } from '../runs/drive-options.ts';
import { tagOfQuestion } from '../runs/answer-question.ts';
import { user } from '../runs/lead-choice.ts';
import type { RunFolder } from '../runs/run-folder.ts';
import { readRunInput } from '../runs/run-input.ts';
import { takeAnswer } from '../runs/take-answer.ts';
import { verdictWords } from '../tags/tags.ts';
import { neutralise } from '../wire/neutralise.ts';
import type { Session } from './session.ts';

/** Null where the run asks no person; then it suspends when it asks. */
export function answererAtTerminal(session: Session, found: RunFolder): Answerer | null {
  if (readRunInput(found.path).lead?.provider !== user) return null;
  let last: Promise<unknown> = Promise.resolve();
  return (asked) => {
    // Chunks may ask at the same time; a terminal takes one question at a time.
    const answering = last.then(() => askUntilTaken(session, asked));
    last = answering.catch(() => undefined);
    return answering;
  };
}

async function askUntilTaken(
  session: Session,
  { name, question, signal }: AskedQuestion,
): Promise<GivenAnswer> {
  session.err(`\n${neutralise(question.text).trimEnd()}\n\n`);
  for (;;) {
    const written = await writtenAnswer(question.schema, signal);
    try {
      return { value: await takeAnswer({ name, ...question }, written), by: 'user' };
    } catch (error) {
      if (!(error instanceof CollabError)) throw error;
      session.err(`${neutralise(error.message)}; ${neutralise(error.hint ?? 'write it again')}\n`);
    }
  }
}

async function writtenAnswer(schema: unknown, signal: AbortSignal): Promise<string> {
  const terminal = { output: process.stderr, signal };
  if (tagOfQuestion(schema) !== '[CONSULT:CLAUDE:VERIFICATION]') {
    return orInterrupt(multiline({ ...terminal, message: 'Your answer; an empty line ends it' }));
  }
  const options = verdictWords.map((value) => ({ value, label: value }));
  const verdict = await orInterrupt(select({ ...terminal, message: 'Your verdict', options }));
  const reason = await orInterrupt(text({ ...terminal, message: 'The reason' }));
  return `## VERDICT\n\n${verdict}\n\n## REASON\n\n${reason}\n`;
}

/** A prompt reads Ctrl-C itself; the run hears of it as of any other signal, and leaves. */
async function orInterrupt(answering: Promise<string | symbol>): Promise<string> {
  const answer = await answering;
  if (typeof answer === 'string') return answer;
  process.kill(process.pid, 'SIGINT');
  return new Promise(() => {});
}
