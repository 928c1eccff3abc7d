/** The command line (DESIGN §11): one file a command; here they are put together and their failures become exit codes. */
import { Command, CommanderError } from 'commander';
import { CollabError } from '../errors/collab-error.ts';
import { neutralise } from '../text/neutralise.ts';
import { addApplyCommand } from './commands/apply-command.ts';
import { addAnswerCommand } from './commands/answer-command.ts';
import { addCancelCommand } from './commands/cancel-command.ts';
import { addChatCommand } from './commands/chat-command.ts';
import { addCheckCommand } from './commands/check-command.ts';
import { addCleanCommand } from './commands/clean-command.ts';
import { addConsultCommand } from './commands/consult-command.ts';
import { addDemoCommand } from './commands/demo-command.ts';
import { addDoctorCommand } from './commands/doctor-command.ts';
import { exitCodeOfError, exitCodeOfSignal, exitCodes } from './exit-code.ts';
import { addGateCommand } from './commands/gate-command.ts';
import { addInitCommand } from './commands/init-command.ts';
import { addOpenCommand } from './commands/open-command.ts';
import { addProviderCommand } from './commands/provider-command.ts';
import { addReportCommand } from './commands/report-command.ts';
import { addResumeCommand } from './commands/resume-command.ts';
import { addReviewCommand } from './commands/review-command.ts';
import { addRunCommand } from './commands/run-command.ts';
import { addRunsCommand, addStatusCommand } from './commands/runs-command.ts';
import { addServeCommand } from './commands/serve-command.ts';
import { createSession, type Session } from './session.ts';
import { addShowCommand } from './commands/show-command.ts';

import { addToolsCommand } from './commands/tools-command.ts';
import { version } from '../version.ts';
import { addWaitCommand } from './commands/wait-command.ts';

/** A command's action: what it returns is the exit code. */
export type Action = (session: Session) => Promise<number>;

export interface Program {
  readonly root: Command;
  /** Registers what a parsed command line asks for. */
  readonly run: (action: Action) => void;
  /** Another command within one, as if it were called by itself: its failures are told and become an exit code. */
  readonly start: (args: readonly string[], session: Session) => Promise<number>;
  /** What a command line asks for; null for help and the like. @throws CommanderError */
  readonly read: (args: readonly string[]) => Action | null;
}

export async function runProgram(args: readonly string[]): Promise<number> {
  const session = createSession();
  const fail = (error: unknown) => reportFailure(error, session, args.includes('--debug'));
  // Left to itself Node would end with 1, which says that there are findings.
  process.once('uncaughtException', (error) => process.exit(fail(error)));
  try {
    return await start(args, session);
  } finally {
    session.close();
  }
}

async function start(args: readonly string[], session: Session): Promise<number> {
  try {
    const action = parse(args, session.out);
    return action === null ? exitCodes.passed : await action(session);
  } catch (error) {
    return reportFailure(error, session, args.includes('--debug'));
  }
}

function parse(args: readonly string[], out: Session['out']): Action | null {
  let chosen: Action | null = null;
  const program = createProgram((action) => {
    chosen = action;
  }, out);
  program.parse(args.length === 0 ? ['--help'] : [...args], { from: 'user' });
  return chosen;
}

/** What a command line asks for; null for help and the like. @throws CommanderError */
export function readCommand(args: readonly string[]): Action | null {
  return parse(args, () => undefined);
}

/** All commands; `run` is told what a parsed command line asks for. */
export function createProgram(run: Program['run'], out?: Session['out']): Command {
  const root = new Command('collab')
    .description('Two coding agents as a pair: Claude leads, Codex advises, and the outcome is honest.')
    .version(version, '-V, --version', 'print the version')
    .option('--debug', 'print the stack of an internal error')
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: () => {}, ...(out === undefined ? {} : { writeOut: out }) })
    .addHelpText('after', firstSteps);
  const program: Program = { root, run, start, read: readCommand };
  addReviewCommand(program);
  addConsultCommand(program);
  addAnswerCommand(program);
  addRunCommand(program);
  addResumeCommand(program);
  addWaitCommand(program);
  addCancelCommand(program);
  addApplyCommand(program);
  addRunsCommand(program);
  addStatusCommand(program);
  addShowCommand(program);
  addCheckCommand(program);
  addGateCommand(program);
  addReportCommand(program);
  addCleanCommand(program);
  addDemoCommand(program);
  addDoctorCommand(program);
  addInitCommand(program);
  addProviderCommand(program);
  addToolsCommand(program);
  addChatCommand(program);
  addServeCommand(program);
  addOpenCommand(program);
  return root;
}

const firstSteps = `
First steps:
  collab demo      watch a pair at work, offline, in a quarter of a minute
  collab review    review the changes of this repository
  collab doctor    see which agents can work here, and what is missing
`;

function reportFailure(error: unknown, session: Session, debug: boolean): number {
  if (error instanceof CommanderError) return reportUsage(error, session);
  const signal = session.endedBy();
  if (signal !== null) return exitCodeOfSignal(signal);
  if (error instanceof CollabError) {
    session.err(`collab: ${neutralise(error.message)}\n`);
    if (error.hint !== null) session.err(`  ${neutralise(error.hint)}\n`);
    if (debug && error.stack !== undefined) session.err(`${error.stack}\n`);
    return exitCodeOfError(error.code);
  }
  const text = error instanceof Error ? error.message : String(error);
  session.err(
    `collab: internal error: ${neutralise(text)}\n  This is a bug of collab; run it again with --debug for the stack.\n`,
  );
  if (debug && error instanceof Error) session.err(`${error.stack ?? ''}\n`);
  return exitCodes.failed;
}

/** Commander has no way to ask for help or a version and fail: those two exit with 0. */
function reportUsage(error: CommanderError, session: Session): number {
  if (error.exitCode === 0) return exitCodes.passed;
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  session.err(`collab: ${neutralise(message)}\n  collab --help lists the commands and flags\n`);
  return exitCodes.usage;
}
