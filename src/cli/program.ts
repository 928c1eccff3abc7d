/** The command line: registers the commands, one file each, and turns their failures into exit codes. */
import { Command, CommanderError } from 'commander';
import { CollabError } from '../errors/collab-error.ts';
import type { StartDefaults } from '../runs/start/start-request.ts';
import { fileFaultOf } from '../system/files/fault.ts';
import { addAcpCommand } from './commands/acp-command.ts';
import { addApplyCommand } from './commands/apply-command.ts';
import { addAnswerCommand } from './commands/answer-command.ts';
import { addCancelCommand } from './commands/cancel-command.ts';
import { addChatCommand } from './commands/chat-command.ts';
import { addCheckCommand } from './commands/check-command.ts';
import { addCleanCommand } from './commands/clean-command.ts';
import { addCommentCommand } from './commands/comment-command.ts';
import { addConsultCommand } from './commands/consult-command.ts';
import { addDemoCommand } from './commands/demo-command.ts';
import { addDismissCommand } from './commands/dismiss-command.ts';
import { addDoctorCommand } from './commands/doctor-command.ts';
import type { StartLine } from './driving/present-start.ts';
import { addEngineCommand } from './engine/engine-command.ts';
import { exitCodeOfError, exitCodeOfSignal, exitCodes } from './exit-code.ts';
import { addFixCommand } from './commands/fix-command.ts';
import { addGateCommand } from './commands/gate-command.ts';
import { addInitCommand } from './commands/init-command.ts';
import { addMcpCommand } from './commands/mcp-command.ts';
import { addOpenCommand } from './commands/open-command.ts';
import { addProviderCommand } from './commands/provider-command.ts';
import { addPublishCommand } from './commands/publish-command.ts';
import { addReportCommand } from './commands/report-command.ts';
import { addResumeCommand } from './commands/resume-command.ts';
import { addReviewCommand } from './commands/review-command.ts';
import { addRunCommand } from './commands/run-command.ts';
import { addRunsCommand, addStatusCommand } from './commands/runs-command.ts';
import { addServeCommand } from './commands/serve-command.ts';
import { printableError } from './printable-error.ts';
import { createSession, type Session } from './session.ts';
import { tellError } from './tell-error.ts';
import { addShowCommand } from './commands/show-command.ts';
import { addStatsCommand } from './commands/stats-command.ts';
import { addTraceCommand } from './observe/trace-command.ts';
import { addToolsCommand } from './commands/tools-command.ts';
import { version } from '../version.ts';
import { addWaitCommand } from './commands/wait-command.ts';
import { addWorkerCommand } from './engine/worker-command.ts';

/** A command's action, which returns the exit code. `defaults`: a conversation's choices for the run that it starts. */
export type Action = (session: Session, defaults?: StartDefaults) => Promise<number>;

export interface Program {
  readonly root: Command;
  /** Registers the action of a parsed command line; with the line itself if it starts a run. */
  readonly run: (action: Action, starts?: StartLine) => void;
  /** Performs an action as if it were called by itself: reports its failures and returns an exit code. */
  readonly perform: (action: Action, session: Session) => Promise<number>;
  /** Returns a parsed command line; null for help and the like, which `out` receives. @throws CommanderError */
  readonly read: (args: readonly string[], out?: Session['out']) => ParsedLine | null;
}

export interface ParsedLine {
  readonly action: Action;
  /** The run that it starts; null for a command that starts none. */
  readonly starts: StartLine | null;
}

export async function runProgram(args: readonly string[]): Promise<number> {
  const session = createSession();
  const debug = args.includes('--debug');
  // Node's default exit code 1 would mean that there are findings.
  process.once('uncaughtException', (error) => process.exit(reportFailure(error, session, debug)));
  try {
    return await runInSession(args, session);
  } finally {
    session.close();
  }
}

/** Carries out a command line in a session; reports its failures and returns the exit code. */
export function runInSession(args: readonly string[], session: Session): Promise<number> {
  return performing(args.includes('--debug'))(async () => {
    const asked = readCommand(args.length === 0 ? ['--help'] : args, session.out);
    return asked === null ? exitCodes.passed : asked.action(session);
  }, session);
}

function performing(debug: boolean): Program['perform'] {
  return async (action, session) => {
    try {
      return await action(session);
    } catch (error) {
      return reportFailure(error, session, debug);
    }
  };
}

/** Returns a parsed command line; null for help and the like, which `out` receives. @throws CommanderError */
export function readCommand(
  args: readonly string[],
  out: Session['out'] = () => undefined,
): ParsedLine | null {
  let chosen: ParsedLine | null = null;
  const program = createProgram((action, starts) => {
    chosen = { action, starts: starts ?? null };
  }, out);
  program.parse(withPathFlags(args), { from: 'user' });
  return chosen;
}

/** The paths behind `--` are flags of a review: Commander would take the first one for the change. */
function withPathFlags(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  if (end === -1 || args.find((word) => !word.startsWith('-')) !== 'review') return [...args];
  return [...args.slice(0, end), ...args.slice(end + 1).map((path) => `--path=${path}`)];
}

/** Builds all commands; `run` receives the action of a parsed command line. */
export function createProgram(run: Program['run'], out?: Session['out']): Command {
  const root = new Command('collab')
    .description('Two coding agents as a pair: Claude leads, Codex advises, and the outcome is honest.')
    .version(version, '-V, --version', 'print the version')
    .option('--debug', 'print the stack of an internal error')
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: () => {}, ...(out === undefined ? {} : { writeOut: out }) })
    .addHelpText('after', firstSteps);
  const program: Program = { root, run, perform: performing(false), read: readCommand };
  addReviewCommand(program);
  addConsultCommand(program);
  addAnswerCommand(program);
  addRunCommand(program);
  addFixCommand(program);
  addResumeCommand(program);
  addWaitCommand(program);
  addCancelCommand(program);
  addApplyCommand(program);
  addRunsCommand(program);
  addStatusCommand(program);
  addShowCommand(program);
  addCheckCommand(program);
  addDismissCommand(program);
  addStatsCommand(program);
  addTraceCommand(program);
  addGateCommand(program);
  addReportCommand(program);
  addPublishCommand(program);
  addCommentCommand(program);
  addCleanCommand(program);
  addDemoCommand(program);
  addDoctorCommand(program);
  addInitCommand(program);
  addMcpCommand(program);
  addAcpCommand(program);
  addProviderCommand(program);
  addToolsCommand(program);
  addChatCommand(program);
  addServeCommand(program);
  addOpenCommand(program);
  addEngineCommand(program);
  addWorkerCommand(program);
  return root;
}

const firstSteps = `
First steps:
  collab demo      watch a pair at work, offline, in fifteen seconds
  collab review    review the changes of this repository
  collab doctor    show which agents can work here, and what is missing
`;

function reportFailure(error: unknown, session: Session, debug: boolean): number {
  if (error instanceof CommanderError) return reportUsage(error, session);
  const signal = session.endedBy();
  if (signal !== null) return exitCodeOfSignal(signal);
  const told = error instanceof CollabError ? error : fileFaultOf(error);
  if (told !== null) {
    tellError(session, told);
    if (debug && told.stack !== undefined) session.err(`${printableError(told.stack)}\n`);
    return exitCodeOfError(told.code);
  }
  const text = error instanceof Error ? error.message : String(error);
  session.err(
    `collab: internal error: ${printableError(text)}\n  This is a bug in collab; run it again with --debug for the stack.\n`,
  );
  if (debug && error instanceof Error) session.err(`${printableError(error.stack ?? '')}\n`);
  return exitCodes.failed;
}

/** Commander cannot both print help or the version and fail: these two exit with 0. */
function reportUsage(error: CommanderError, session: Session): number {
  if (error.exitCode === 0) return exitCodes.passed;
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  session.err(`collab: ${printableError(message)}\n  collab --help lists the commands and flags\n`);
  return exitCodes.usage;
}
