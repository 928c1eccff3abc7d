/**
 * Puts a run's questions to the person at the terminal: the gates of `collab run`, and with `--ask` the advisor's
 * reverse requests. Ctrl-C interrupts the run, as always.
 */
import { multiline, select, text } from '@clack/prompts';
import { CollabError } from '../../errors/collab-error.ts';
import type {
  QuestionAnswerer,
  AskedQuestion,
  AnswerFromOutside,
} from '../../engine/drive/perform-options.ts';
import { splitNotes } from '../../review/findings/notes.ts';
import { onOneLine } from '../../text/one-line.ts';
import { tagOfQuestion } from '../../runs/calls/reverse-question.ts';
import { gateOf } from '../../runs/calls/gate-question.ts';
import { caller, user } from '../../runs/agents/lead-choice.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import { takeAnswer } from '../../runs/calls/parse-user-answer.ts';
import { verdictWords } from '../../tags/tags.ts';
import { neutralise } from '../../text/neutralise.ts';
import { createPaint } from '../../text/paint.ts';
import { paintFencedPatches } from '../../text/patch.ts';
import { orInterrupt } from './interruptible-prompt.ts';
import type { Session } from '../session.ts';

/** Returns null if the run asks no person; then it suspends when it asks. `hold` keeps the terminal for a question. */
export function answererAtTerminal(
  session: Session,
  found: OpenedRun,
  hold: () => () => void,
): QuestionAnswerer | null {
  if (!asksAPerson(found.input)) return null;
  let last: Promise<unknown> = Promise.resolve();
  return (asked) => {
    // Chunks may ask at the same time; a terminal takes one question at a time.
    const answering = last.then(async () => {
      const release = hold();
      return askUntilTaken(session, asked).finally(release);
    });
    last = answering.catch(() => undefined);
    return answering;
  };
}

function asksAPerson(input: RunInput): boolean {
  return (
    input.lead?.provider === user ||
    ((input.kind === 'workflow' || input.kind === 'fix') && input.lead.provider !== caller)
  );
}

async function askUntilTaken(
  session: Session,
  { name, question, signal }: AskedQuestion,
): Promise<AnswerFromOutside> {
  const paint = createPaint(session.screen.color.err);
  session.err(`\n${paintFencedPatches(neutralise(question.text).trimEnd(), paint)}\n\n`);
  for (;;) {
    const written = await writtenAnswer(question, signal);
    try {
      return { value: await takeAnswer({ name, ...question }, written), by: 'user' };
    } catch (error) {
      if (!(error instanceof CollabError)) throw error;
      session.err(`${neutralise(error.message)}; ${neutralise(error.hint ?? 'write it again')}\n`);
    }
  }
}

async function writtenAnswer(question: AskedQuestion['question'], signal: AbortSignal): Promise<string> {
  const { kind, text: asked, schema } = question;
  const terminal = { output: process.stderr, signal };
  if (kind === 'clarification') return answerEach(splitNotes(asked), terminal);
  const gate = gateOf(question);
  if (gate !== null) return gate === 'approval' ? decide(terminal) : decideApply(terminal);
  if (tagOfQuestion(schema) !== '[CONSULT:CLAUDE:VERIFICATION]') {
    return orInterrupt(multiline({ ...terminal, message: 'Your answer; an empty line ends it' }));
  }
  const options = verdictWords.map((value) => ({ value, label: value }));
  const verdict = await orInterrupt(select({ ...terminal, message: 'Your verdict', options }));
  const reason = await orInterrupt(text({ ...terminal, message: 'The reason' }));
  return `## VERDICT\n\n${verdict}\n\n## REASON\n\n${reason}\n`;
}

interface Terminal {
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** Asks each question on its own; the most important come first. */
async function answerEach(questions: readonly string[], terminal: Terminal): Promise<string> {
  const answers: string[] = [];
  for (const [index, question] of questions.entries()) {
    const message = `${index + 1} of ${questions.length}: ${onOneLine(neutralise(question))}`;
    const answer = await orInterrupt(text({ ...terminal, message, placeholder: 'empty: the lead decides' }));
    answers.push(
      `${index + 1}. ${question}\n   Answer: ${answer.trim() === '' ? 'decide yourself' : answer.trim()}`,
    );
  }
  return answers.join('\n');
}

async function decide(terminal: Terminal): Promise<string> {
  const options = [
    { value: 'approve', label: 'approve' },
    { value: 'revise', label: 'revise: say what to change' },
    { value: 'stop', label: 'stop' },
  ];
  const decision = await orInterrupt(select({ ...terminal, message: 'Do you approve?', options }));
  if (decision !== 'revise') return decision;
  return `revise: ${await orInterrupt(text({ ...terminal, message: 'What should change?' }))}`;
}

function decideApply(terminal: Terminal): Promise<string> {
  const options = [
    { value: 'apply', label: 'apply' },
    { value: 'leave', label: 'leave: do not change your files' },
  ];
  return orInterrupt(select({ ...terminal, message: 'Apply the changes to your own files?', options }));
}
