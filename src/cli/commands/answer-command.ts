/** `collab answer`: answers the question of a waiting run and continues the run. */
import { CollabError } from '../../errors/collab-error.ts';
import type { RunStatus } from '../../engine/port.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { engineOf } from '../engine/engine-of.ts';
import { addRemoteFlags, statusCommand, withEngine, type RemoteFlags } from '../engine/remote-flags.ts';
import { addGoOnFlags, type GoOnFlags } from '../flags/go-on-flags.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

interface AnswerFlags extends GoOnFlags, RemoteFlags {
  readonly file: string;
}

const examples = `
Examples:
  collab answer latest --file answer.md
  echo "The table has a row for each currency." | collab answer latest --file -
  echo "revise: keep the old endpoint" | collab answer latest --file -

A [CONSULT:CLAUDE:VERIFICATION] needs two sections, "## VERDICT" (approve, revise or reject) and "## REASON";
a [CONSULT:CLAUDE:CONTEXT] accepts any Markdown. A gate of collab run accepts one of the words that it names.
collab records the answer and continues the run. It refuses an invalid answer, and the question stays open.

Exit codes: those of the command that started the run; 2 no open question, or an invalid answer
`;

/** One mebibyte: the question that is answered has its own, lower limit. */
const mostAnswerBytes = 1024 * 1024;

export function addAnswerCommand({ root, run }: Program): void {
  const command = root
    .command('answer')
    .description('answer the question of a waiting run and continue the run')
    .argument('<run>', 'its id, the start or end of the id, or "latest"')
    .requiredOption('--file <answer.md>', 'read the answer from this file; - reads standard input');
  addRemoteFlags(addGoOnFlags(command))
    .addHelpText('after', examples)
    .action((wanted: string, flags: AnswerFlags) => {
      run((session) => withEngine(session, flags, (at) => answerRunOf(at, wanted, flags)));
    });
}

/** The answer: a file, or the text itself. */
export type GivenText = { readonly file: string } | { readonly text: string };

/** Records the answer and continues the run. Returns the exit code. @throws CollabError `run_not_found`, `input` */
export async function answerRunOf(
  session: Session,
  wanted: string,
  flags: GivenText & GoOnFlags,
): Promise<number> {
  const { findRun } = await import('../flags/run-arguments.ts');
  const { presentRun, followLimit } = await import('../driving/present-run.ts');
  followLimit(session);
  const found = await findRun(session, wanted);
  (await import('../flags/fitting-format.ts')).refuseMisfit(found, flags.format);
  await recordAnswer(session, found, await textOf(session, flags));
  const goesOn = session.engine !== undefined || (await (await engineOf(session)).isDriven(found));
  if (goesOn) return goesOnElsewhere(session, found);
  return presentRun(session, found, flags);
}

/**
 * Records the answer to the first open question, durably. `shown`: the name of the question that the person saw; another one is
 * not answered.
 * @throws CollabError `input`
 */
export async function recordAnswer(
  session: Pick<Session, 'clock' | 'env' | 'engine'>,
  found: OpenedRun,
  text: string,
  shown?: string,
): Promise<void> {
  const { takeAnswer } = await import('../../runs/calls/parse-user-answer.ts');
  const engine = await engineOf(session);
  const { open, state } = await engine.status(found);
  const [question] = open;
  if (question === undefined) throw nothingAsked(session, found, state);
  if (shown !== undefined && question.name !== shown) throw askedMeanwhile(session, found, question.name);
  const value = await takeAnswer(question, text).catch((error: unknown) =>
    refuse(engine, found, question.name, error),
  );
  const by = found.input.lead?.provider === 'caller' ? 'caller' : 'user';
  await engine.answer(found, { name: question.name, value, by });
}

async function textOf(session: Session, given: GivenText): Promise<string> {
  const { checkSize, readTextInput } = await import('../../runs/start/read-text-input.ts');
  const { startPlaceOf } = await import('../driving/place-of.ts');
  const limit = { what: 'the answer', mostBytes: mostAnswerBytes };
  if ('text' in given) return checkSize(given.text, limit);
  return readTextInput(startPlaceOf(session), { file: given.file, ...limit });
}

/** Records an answer that is itself a reverse request as refused (X001-8); any other fault leaves no trace. */
async function refuse(engine: Engine, found: RunFolder, name: string, error: unknown): Promise<never> {
  if (error instanceof CollabError && error.details['nested'] !== undefined) {
    await engine.refuse(found, `${name}: ${error.message}`);
  }
  throw error;
}

function nothingAsked(session: Pick<Session, 'engine'>, { runId }: RunFolder, state: RunStatus): CollabError {
  return new CollabError('input', `${runId} has no question: it is ${state}`, {
    hint: `see the next step: ${statusCommand(session, runId)}`,
  });
}

function askedMeanwhile(session: Pick<Session, 'engine'>, { runId }: RunFolder, name: string): CollabError {
  return new CollabError(
    'input',
    `The question was answered elsewhere, and ${runId} asks another one: ${name}`,
    {
      hint: `see it: ${statusCommand(session, runId)}`,
    },
  );
}

/** Reports that the run's own process took the answer and continues. */
async function goesOnElsewhere(session: Session, found: RunFolder): Promise<number> {
  const [{ exitCodes }, { waitCommand }] = await Promise.all([
    import('../exit-code.ts'),
    import('../engine/still-running.ts'),
  ]);
  session.out(`${found.runId} has the answer and continues; wait for it: ${waitCommand(session, found)}\n`);
  return exitCodes.stillRunning;
}
