/** The result of a consult: "not finished" from the first moment, then the answer (ADR 17). */
import {
  unfinishedConsultResult,
  type ConsultFacts,
  type ConsultResult,
} from '../../review/outcome/consult-result.ts';
import { sha256 } from '../../text/digest.ts';
import { sectionsAsText } from '../calls/reverse-request.ts';
import type { ConsultRunInput } from '../folder/run-input.ts';
import type { KnownRun, LastRecord, UnfinishedState } from '../run-kind.ts';
import type { ConsultEnding } from './actors.ts';
import { exchangeFacts, leadFacts } from '../review/result.ts';
import { spendingOf, usageByAgent } from '../../review/outcome/usage.ts';
import { exchangeSpecOfPhase } from '../../tags/tags.ts';
import { timestampOf } from '../../text/timestamp.ts';

type KnownConsult = KnownRun<ConsultRunInput>;

const exitCodeOf = { settled: 0, exhausted: 3, unavailable: 4, cancelled: 3 } as const;

export function unfinishedConsult(run: KnownConsult, state: UnfinishedState): ConsultResult {
  return unfinishedConsultResult(factsOf(run), state);
}

export function cancelledConsult(run: KnownConsult): ConsultResult {
  return endedConsult(run, { output: null, asked: [], turns: [], final: true });
}

export function failedConsult(run: KnownConsult, message: string): ConsultResult {
  return {
    ...unfinishedConsult(run, 'interrupted'),
    state: 'ended',
    outcome: 'unavailable',
    reasons: [message],
    ended_at: timestampOf(run.clock),
    exit_code: exitCodeOf.unavailable,
  };
}

export function lastConsultRecord(drive: KnownConsult, ending: ConsultEnding): LastRecord {
  const { outcome, reasons } = endedConsult(drive, ending);
  return {
    status: outcome === 'cancelled' ? 'cancelled' : outcome === 'settled' ? 'success' : 'error',
    outcome: outcome === 'exhausted' ? 'incomplete' : outcome === 'unavailable' ? 'failed' : null,
    reasons: outcome === 'settled' ? ['settled'] : [...reasons],
    result: null,
    errors: outcome === 'settled' || outcome === 'cancelled' ? [] : [...reasons],
    turns: ending.turns.length,
  };
}

export function endedConsult(drive: KnownConsult, { output, asked }: ConsultEnding): ConsultResult {
  const outcome = output?.outcome ?? 'cancelled';
  const usageBy = usageByAgent(drive.recorded.all());
  const sections = output?.block?.sections ?? [];
  const names = sections.map(({ name }) => name);
  return {
    ...unfinishedConsult(drive, 'running'),
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

function factsOf({ input, runId, met }: KnownConsult): ConsultFacts {
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
