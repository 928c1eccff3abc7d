/**
 * Puts a run's questions to the person at the terminal: the gates of `collab run`, and with `--ask` the advisor's
 * reverse requests. Ctrl-C interrupts the run, as always.
 */
import { CollabError } from '../../errors/collab-error.ts';
import type {
  QuestionAnswerer,
  AskedQuestion,
  AnswerFromOutside,
} from '../../engine/drive/perform-options.ts';
import { splitNotes } from '../../review/findings/notes.ts';
import { onOneLine } from '../../text/one-line.ts';
import { tagOfQuestion } from '../../runs/calls/reverse-question.ts';
import { gateDecisions, gateOf, type Gate } from '../../runs/calls/gate-question.ts';
import { caller, user } from '../../runs/agents/lead-choice.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import { takeAnswer } from '../../runs/calls/parse-user-answer.ts';
import { verdictWords } from '../../tags/tags.ts';
import { neutralise } from '../../text/neutralise.ts';
import { createPaint } from '../../text/paint.ts';
import { paintLine, type Line } from '../../text/spans.ts';
import type { NumberedChoice } from './choose.ts';
import { askChoice, askLine, askText, type PromptPlace } from './prompts.ts';
import { renderQuestionText } from './question-text.ts';
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
      return askUntilTaken(session, asked).catch(orNever(asked.signal)).finally(release);
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

/** An interrupted run keeps its question open. */
function orNever(signal: AbortSignal): (error: unknown) => Promise<never> {
  return async (error) => {
    if (signal.aborted) return new Promise(() => {});
    throw error;
  };
}

async function askUntilTaken(
  session: Session,
  { name, question, signal }: AskedQuestion,
): Promise<AnswerFromOutside> {
  const asking = askingOf(session, question, signal);
  for (;;) {
    const written = await writtenAnswer(question, asking);
    try {
      return { value: await takeAnswer({ name, ...question }, written), by: 'user' };
    } catch (error) {
      if (!(error instanceof CollabError)) throw error;
      session.err(`${neutralise(error.message)}; ${neutralise(error.hint ?? 'write it again')}\n`);
    }
  }
}

/** Prints the question, and returns how to ask for its answer. */
function askingOf(session: Session, question: Asked, signal: AbortSignal): AskingOnce {
  const paint = createPaint(session.screen.color.err);
  const print = (lines: readonly Line[]): void =>
    session.err(`\n${lines.map((line) => `${paintLine(line, paint)}\n`).join('')}\n`);
  const asking = { screen: session.screen, signal };
  // Its parts are the prompts.
  if (question.kind === 'clarification') return { ...asking, showWhole: null };
  const gate = gateOf(question);
  const keepsLines = gate === 'apply';
  const shown = withoutDecision(question.text.trimEnd(), gate);
  const { whole, folded } = renderQuestionText(shown, session.screen.columns - 1, { keepsLines });
  print(folded ?? whole);
  return { ...asking, showWhole: folded === null ? null : () => print(whole) };
}

/** The prompt asks it. */
function withoutDecision(asked: string, gate: Gate | null): string {
  const decision = gate === null ? null : gateDecisions[gate];
  if (decision === null || !asked.endsWith(decision)) return asked;
  return asked.slice(0, -decision.length).replace(/#? *$/, '').trimEnd();
}

async function writtenAnswer(question: Asked, asking: AskingOnce): Promise<string> {
  const { text: asked, schema } = question;
  if (question.kind === 'clarification') return answerEach(splitNotes(asked), asking);
  const gate = gateOf(question);
  if (gate !== null) return gate === 'approval' ? decide(asking) : decideApply(asking);
  if (tagOfQuestion(schema) !== '[CONSULT:CLAUDE:VERIFICATION]') {
    return askText('Your answer', asking);
  }
  const options = verdictWords.map((value) => ({ value, label: value }));
  const verdict = await decideOn('Your verdict', options, asking);
  const reason = await askLine('The reason', asking);
  return `## VERDICT\n\n${verdict}\n\n## REASON\n\n${reason}\n`;
}

type Asked = AskedQuestion['question'];

interface AskingOnce extends PromptPlace {
  /** Prints the question with its patches unfolded; null if nothing was folded. */
  readonly showWhole: (() => void) | null;
}

/** Asks each question on its own; the most important come first. */
async function answerEach(questions: readonly string[], asking: PromptPlace): Promise<string> {
  const answers: string[] = [];
  for (const [index, question] of questions.entries()) {
    const message = `${index + 1} of ${questions.length}: ${onOneLine(neutralise(question))}`;
    const answer = await askLine(message, asking, 'empty: the lead decides');
    answers.push(
      `${index + 1}. ${question}\n   Answer: ${answer.trim() === '' ? 'decide yourself' : answer.trim()}`,
    );
  }
  return answers.join('\n');
}

async function decide(asking: AskingOnce): Promise<string> {
  const options = [
    { value: 'approve', label: 'approve' },
    { value: 'revise', label: 'revise: say what to change' },
    { value: 'stop', label: 'stop' },
  ];
  const decision = await decideOn(gateDecisions.approval, options, asking);
  if (decision !== 'revise') return decision;
  return `revise: ${await askLine('What should change?', asking)}`;
}

function decideApply(asking: AskingOnce): Promise<string> {
  const options = [
    { value: 'apply', label: 'apply' },
    { value: 'leave', label: 'leave: do not change your files' },
  ];
  return decideOn(gateDecisions.apply, options, asking);
}

/** Offers to unfold the patches, once, and then asks again. */
async function decideOn(
  message: string,
  options: readonly NumberedChoice<string>[],
  asking: AskingOnce,
): Promise<string> {
  const { showWhole } = asking;
  const offered =
    showWhole === null ? options : [...options, { value: unfold, label: 'show the whole patch' }];
  const chosen = await askChoice(message, offered, asking);
  if (showWhole === null || chosen !== unfold) return chosen;
  showWhole();
  return decideOn(message, options, { ...asking, showWhole: null });
}

const unfold = 'unfold';
