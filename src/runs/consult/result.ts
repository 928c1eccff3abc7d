/** Writes `result.json` of a consult: "not finished" from the first moment, then the answer (ADR 17). */
import type { EventBody } from '../../events/collab-event.ts';
import {
  unfinishedConsult,
  type ConsultFacts,
  type ConsultResult,
} from '../../review/outcome/consult-result.ts';
import { sha256 } from '../../text/digest.ts';
import { collectRecords } from '../../engine/journal/recorded-events.ts';
import { sectionsAsText } from '../calls/reverse-request.ts';
import type { ConsultDrive, ConsultEnding } from './actors.ts';
import { resultFile } from '../folder/run-folder.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { exchangeFacts, leadFacts } from '../review/result.ts';
import { spendingOf, usageByAgent } from '../../review/outcome/usage.ts';
import { exchangeSpecOfPhase } from '../../tags/tags.ts';
import { timestampOf } from '../../text/timestamp.ts';

type ResultDrive = Pick<ConsultDrive, 'input' | 'runFolder' | 'runId' | 'clock' | 'met' | 'recorded'>;

const exitCodeOf = { settled: 0, exhausted: 3, unavailable: 4, cancelled: 3 } as const;

export function writeUnfinishedConsult(
  drive: ResultDrive,
  state: 'running' | 'waiting' | 'interrupted',
): void {
  writeResult(drive.runFolder, unfinishedConsult(factsOf(drive), state));
}

/** Writes the result before the run is driven. */
export function writeConsultNotBegun(run: Omit<ResultDrive, 'met' | 'recorded'>): void {
  writeUnfinishedConsult(undriven(run), 'running');
}

export function writeConsultEnding(drive: ResultDrive, ending: ConsultEnding): ConsultResult {
  const result = resultOf(drive, ending);
  writeResult(drive.runFolder, result);
  return result;
}

/** Writes the result of a run that was cancelled while no process drove it: its journal is closed. */
export function writeCancelledConsult(run: Omit<ResultDrive, 'met' | 'recorded'>): void {
  writeConsultEnding(undriven(run), { output: null, asked: [], turns: [], final: true });
}

function undriven(run: Omit<ResultDrive, 'met' | 'recorded'>): ResultDrive {
  return { ...run, met: { advisor: null }, recorded: collectRecords(run.runFolder) };
}

/** Returns the last record of the run; null if a later drive may end it differently. */
export function consultEndedEvent(
  drive: ResultDrive,
  ending: ConsultEnding,
): Extract<EventBody, { type: 'run.ended' }> | null {
  if (!ending.final) return null;
  const { outcome, reasons } = resultOf(drive, ending);
  return {
    type: 'run.ended',
    status: outcome === 'cancelled' ? 'cancelled' : outcome === 'settled' ? 'success' : 'error',
    outcome: outcome === 'exhausted' ? 'incomplete' : outcome === 'unavailable' ? 'failed' : null,
    reasons: outcome === 'settled' ? ['settled'] : [...reasons],
    result: null,
    errors: outcome === 'settled' || outcome === 'cancelled' ? [] : [...reasons],
    duration_ms: Math.max(0, Math.round(drive.clock.now() - Date.parse(drive.input.started_at))),
    turns: ending.turns.length,
  };
}

function resultOf(drive: ResultDrive, { output, asked }: ConsultEnding): ConsultResult {
  const outcome = output?.outcome ?? 'cancelled';
  const usageBy = usageByAgent(drive.recorded.all());
  const sections = output?.block?.sections ?? [];
  const names = sections.map(({ name }) => name);
  return {
    ...unfinishedConsult(factsOf(drive), 'running'),
    state: 'ended',
    outcome,
    reasons: output === null ? ['the consult was cancelled'] : reasonsOf(output),
    ended_at: timestampOf(drive.clock),
    sections: sections.map(({ name, text, state }) => ({ name, text, state })),
    missing:
      output === null
        ? []
        : output.request.sections.map(({ name }) => name).filter((name) => !names.includes(name)),
    asked_back: asked.map(({ request, answer }) => ({
      tag: request.tag,
      question: request.text,
      by: answer.by,
      declined: answer.declined,
      answer: sectionsAsText(answer.sections),
    })),
    exchanges: output === null ? [] : [exchangeFacts(output)],
    ...spendingOf(usageBy),
    usage_by: [...usageBy],
    exit_code: exitCodeOf[outcome],
  };
}

/** On one line, followed by the remedy. */
function reasonsOf({ outcome, detail, hint }: NonNullable<ConsultEnding['output']>): string[] {
  if (outcome === 'settled' || detail === null) return [];
  const said = detail.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return [hint === null || hint === '' ? said : `${said}; ${hint}`];
}

function factsOf({ input, runId, met }: ResultDrive): ConsultFacts {
  const spec = exchangeSpecOfPhase(input.phase);
  return {
    run_id: runId,
    conversation_id: input.conversation,
    phase: input.phase,
    tag: spec.request,
    answer_tag: spec.answer,
    advisor: {
      provider: input.advisor.provider,
      model: met.advisor?.model ?? input.advisor.model,
      version: met.advisor?.version ?? null,
    },
    lead: leadFacts(input),
    started_at: input.started_at,
    brief_digest: sha256(input.brief),
  };
}

function writeResult(runFolder: string, result: ConsultResult): void {
  writeAtomically(resultFile(runFolder), `${JSON.stringify(result, null, 2)}\n`);
}
