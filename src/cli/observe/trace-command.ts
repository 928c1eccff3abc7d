/** `collab trace`: shows the time and cost of the parts of a run, and sends its spans to a collector on request. */
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { version } from '../../version.ts';
import { engineOf } from '../engine/engine-of.ts';
import { exitCodes } from '../exit-code.ts';
import { addCommandOfRun } from '../flags/command-of-run.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

interface TraceFlags {
  readonly json?: boolean;
  readonly otlp?: string;
}

const examples = `
The spans have names, times, tokens and costs, and no text of a prompt, an answer or a file. They are sent to the address that
--otlp names, and without --otlp nothing is sent.

Examples:
  collab trace
  collab trace latest --json > trace.json
  collab trace latest --otlp http://127.0.0.1:4318/v1/traces
`;

export function addTraceCommand(program: Program): void {
  addCommandOfRun(
    program,
    { name: 'trace', about: 'show the time, tokens and cost of each part of a run', isRemote: true },
    trace,
  )
    .option('--json', 'print the spans as OTLP/JSON')
    .option('--otlp <address>', 'send the spans to a collector, as OTLP/HTTP JSON')
    .addHelpText('after', examples);
}

async function trace(session: Session, found: OpenedRun, flags: TraceFlags): Promise<number> {
  const { collectorAddress, sendTrace, shownAddress } = await import('./send-trace.ts');
  const address = flags.otlp === undefined ? null : collectorAddress(flags.otlp);
  const run = await traceRun(session, found);
  const { encodeOtlp } = await import('../../observe/trace/otlp.ts');
  if (flags.json === true) session.out(renderJson(encodeOtlp(run, version)));
  if (address !== null) {
    await sendTrace(address, encodeOtlp(run, version), session.signal);
    session.err(`sent ${run.spans.length} spans of ${found.runId} to ${shownAddress(address)}\n`);
  } else if (flags.json !== true) {
    const { renderTrace } = await import('../../observe/trace/trace-lines.ts');
    session.out(`${renderTrace(run, session.screen.columns).join('\n')}\n`);
  }
  return exitCodes.passed;
}

async function traceRun(session: Session, found: OpenedRun) {
  const { traceOf } = await import('../../observe/trace/trace-of.ts');
  const engine = await engineOf(session);
  // Reads the state first: a run that ends in between then has its last record.
  const { state, kind } = await engine.describe(found);
  return traceOf(await engine.records(found), { runId: found.runId, runKind: kind, state });
}
