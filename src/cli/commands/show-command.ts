/** `collab show`: prints the report of a run, its events, one of its prompts, or its findings as a work order. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import type { RunStatus } from '../../engine/port.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { exitCodes } from '../exit-code.ts';
import { engineOf } from '../engine/engine-of.ts';
import { remoteWord, statusCommand } from '../engine/remote-flags.ts';
import { addCommandOfRun } from '../flags/command-of-run.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { renderJsonLine } from '../../text/render-json.ts';

interface ShowFlags {
  readonly events?: boolean;
  readonly prompt?: string;
  readonly asPrompt?: boolean;
  readonly json?: boolean;
  readonly ascii?: boolean;
  readonly interactive?: boolean;
}

export function addShowCommand(program: Program): void {
  addCommandOfRun(
    program,
    { name: 'show', about: 'show the findings, events or prompts of a run', isRemote: true },
    show,
  )
    .option('--events', 'print the events, one JSON object a line')
    .option('--prompt <n>', 'print the n-th prompt')
    .option('--as-prompt', 'print the findings as a work order for an agent')
    .option('-i, --interactive', 'walk through the findings, one at a time')
    .option('--json', 'print the result as JSON')
    .option('--ascii', 'print no emoji')
    .addHelpText(
      'after',
      '\nExamples:\n  collab show\n  collab show -i\n  collab show latest --events | tail -3\n  collab show latest --prompt 1\n  collab show --as-prompt | claude -p\n',
    );
}

async function show(session: Session, found: OpenedRun, flags: ShowFlags): Promise<number> {
  if (flags.events === true) return showEvents(session, found);
  if (flags.prompt !== undefined) return showPrompt(session, found, flags.prompt);
  if (flags.asPrompt === true) return showWorkOrder(session, found);
  if (flags.interactive === true) return walk(session, found);
  return showReport(session, found, flags);
}

async function showEvents(session: Session, found: RunFolder): Promise<number> {
  for (const event of await (await engineOf(session)).records(found)) session.out(renderJsonLine(event));
  return 0;
}

async function showPrompt(session: Session, found: RunFolder, wanted: string): Promise<number> {
  const engine = await engineOf(session);
  const { neutralise } = await import('../../text/neutralise.ts');
  const sent = (await engine.records(found)).filter((event) => event.type === 'exchange.sent');
  const prompt = /^[1-9]\d*$/.test(wanted) ? sent[Number(wanted) - 1] : undefined;
  if (prompt?.type !== 'exchange.sent') {
    throw new CollabError('usage', `there is no prompt ${wanted} in ${found.runId}`, {
      hint: sent.length === 0 ? 'this run sent no prompt' : `prompts are numbered 1 to ${sent.length}`,
    });
  }
  const text = await engine.text(found, prompt.prompt_ref);
  if (text === null)
    throw new CollabError('journal_corrupt', `the prompt ${wanted} of ${found.runId} is missing`);
  session.out(session.screen.interactive.out ? neutralise(text) : text);
  return 0;
}

async function showReport(session: Session, found: OpenedRun, flags: ShowFlags): Promise<number> {
  const { writeReport } = await import('../driving/write-report.ts');
  const { result, state } = await resultOf(session, found);
  const unfinished = result === null || state !== 'ended';
  if (result !== null && (flags.json === true || !unfinished)) {
    const format = flags.json === true ? 'json' : 'terminal';
    session.out(await writeReport(result, format, session, { ...flags, run: found }));
  }
  if (state === 'waiting' && flags.json !== true) {
    return (await import('../driving/print-question.ts')).tellQuestion(session, found, 'terminal');
  }
  if (!unfinished && flags.json !== true) await nameTranscript(session, found);
  return unfinished ? sayUnfinished(session, found, state) : exitCodes.passed;
}

async function walk(session: Session, found: OpenedRun): Promise<number> {
  const { result, state } = await resultOf(session, found);
  if (result === null || state !== 'ended') return sayUnfinished(session, found, state);
  if (result.schema === 'collab.consult/v1') refuseConsult(session, found);
  const { walkFindings } = await import('../walk/walk-findings.ts');
  const end = await walkFindings(session, found, result);
  if (end.kind === 'left') return end.code;
  const { presentStart } = await import('../driving/present-start.ts');
  const { fixLine } = await import('../flags/start-lines.ts');
  return presentStart(session, fixLine([found.runId, end.finding.id], {}));
}

async function nameTranscript(session: Session, found: RunFolder): Promise<void> {
  const { transcriptFile } = await import('../../runs/folder/transcript-file.ts');
  const file = transcriptFile(found.path);
  if (existsSync(file)) session.err(`the exchanges: ${relative(session.cwd, file)}\n`);
}

/** An unfinished review has no findings yet: "nothing to fix" would be wrong. */
async function showWorkOrder(session: Session, found: RunFolder): Promise<number> {
  const { renderWorkOrder } = await import('../../prompts/lead/work-order.ts');
  const { neutralise } = await import('../../text/neutralise.ts');
  const { result, state } = await resultOf(session, found);
  if (result === null || state !== 'ended') return sayUnfinished(session, found, state);
  if (result.schema === 'collab.consult/v1') refuseConsult(session, found);
  const order = renderWorkOrder(result.findings);
  session.out(session.screen.interactive.out ? neutralise(order) : order);
  if (result.outcome === 'incomplete' || result.outcome === 'failed') {
    session.err(`the review of ${found.runId} is ${result.outcome}: there may be more to fix\n`);
  }
  return exitCodes.passed;
}

function refuseConsult(session: Session, { runId }: RunFolder): never {
  throw new CollabError('usage', `${runId} is a consult: it has no findings`, {
    hint: `collab show ${runId}${remoteWord(session)} prints its answer`,
  });
}

async function resultOf(session: Session, found: RunFolder) {
  const engine = await engineOf(session);
  // Reads the state first: if the run ended in between, an earlier read of the result would miss it.
  const { state } = await engine.status(found);
  return { state, result: await engine.result(found) };
}

function sayUnfinished(session: Session, found: RunFolder, state: RunStatus): number {
  session.err(`${found.runId} is ${state}: ${statusCommand(session, found.runId)}\n`);
  if (state === 'running') return exitCodes.stillRunning;
  return state === 'waiting' ? exitCodes.needsAnswer : exitCodes.failed;
}
