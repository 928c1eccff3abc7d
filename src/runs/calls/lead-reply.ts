/** Answers a reverse request through a lead that is an agent: one turn in a new session, with reading tools only. */
import type { EventAgent, EventBody } from '../../events/collab-event.ts';
import type { AnswerBackInput } from '../../machine/exchange/exchange-machine.ts';
import type { SettledReverseAnswer } from '../../machine/exchange/exchange-types.ts';
import { readReverseAnswer } from '../../parsers/answers/read-reverse-answer.ts';
import { declined } from '../../prompts/repair/declined-answer.ts';
import { renderCutAgain } from '../../prompts/repair/repair.ts';
import { renderReverseRequest } from '../../prompts/repair/reverse-request.ts';
import type { TurnResult } from '../../providers/contract/contract.ts';
import { isCutShort } from '../../providers/contract/stop-reason.ts';
import { exchangeSpecOf, type ReverseAnswerTag } from '../../tags/tags.ts';
import { masked } from '../agents/masked-turn.ts';
import type { Budget, BudgetRefusal } from './budget.ts';
import { callWithin } from './budgeted-call.ts';
import { sha256 } from '../../text/digest.ts';
import { fenceNonce } from './fence-nonce.ts';
import type { RunContext, StepAttempt } from '../../engine/port.ts';
import type { Lead } from '../agents/lead-agent.ts';
import { recoverLostCall } from './lost-call.ts';
import type { RunDeadline } from './deadline.ts';
import { limitsIn, type LimitSettings } from '../folder/run-settings.ts';

export interface LeadWay {
  readonly kind: 'agent';
  readonly lead: Pick<Lead, 'turn' | 'harvest'>;
  /** The agent of the events of its turns. */
  readonly leadAgent: EventAgent;
  /** The folder that it may read; null: nothing. */
  readonly folder: string | null;
  /** The round of the phase that the exchange belongs to. */
  readonly round: number;
  readonly deadline: RunDeadline;
  readonly budget: Budget;
  readonly limits: LimitSettings;
  readonly fenceSeed: string;
}

export interface LeadAnswerOptions {
  readonly way: LeadWay;
  readonly actorSignal: AbortSignal;
  /** The step's name in the exchange. */
  readonly step: string;
  readonly tag: ReverseAnswerTag;
}

interface Asked {
  readonly options: LeadAnswerOptions;
  readonly input: AnswerBackInput;
  readonly prompt: string;
  readonly attempt: StepAttempt;
}

/**
 * Asks the lead. If it fails or itself sends a reverse request, the request is declined with the reason and the
 * exchange continues.
 */
export async function askLeadBack(
  exchange: RunContext,
  input: AnswerBackInput,
  options: LeadAnswerOptions,
): Promise<SettledReverseAnswer> {
  const prompt = masked(
    renderReverseRequest({
      request: input.request,
      original: input.exchange.request,
      readsFiles: options.way.folder !== null,
      nonce: fenceNonce(options.way.fenceSeed, `${input.exchange.path}/${options.step}`),
    }),
  );
  return exchange.step(options.step, { request: input.request, prompt: sha256(prompt) }, async (attempt) => {
    const asked: Asked = { options, input, prompt, attempt };
    const { answer, said } = readLead(asked, await call(asked));
    emit(asked, {
      type: 'exchange.answered_back',
      by: answer.by,
      ...(answer.declined === null ? {} : { declined: answer.declined }),
      text: said,
    });
    return { value: answer };
  });
}

interface Read {
  readonly answer: SettledReverseAnswer;
  /** The lead's text as the record keeps it. */
  readonly said: string;
}

function readLead({ options: { tag }, input }: Asked, result: TurnResult | BudgetRefusal | null): Read {
  const decline = (reason: string, said = ''): Read => ({
    answer: { tag, by: 'lead', declined: reason, sections: {} },
    said,
  });
  if (result === null) return decline(declined.noTime);
  if (result.kind === 'refused') return decline(declined.noBudget);
  if (result.kind !== 'answered') return decline(declined.failed(result.message));
  if (isCutShort(result.stopReason)) return decline(declined.cut, result.text.slice(0, keptCharacters));
  const reading = readReverseAnswer(result.text, input.request.tag);
  switch (reading.kind) {
    case 'answered':
      return { answer: { tag, by: 'lead', declined: null, sections: reading.sections }, said: result.text };
    case 'nested':
      return decline(declined.askedBack(reading.tag), result.text);
    case 'unreadable':
      return decline(declined.unreadable(reading.problem), result.text.slice(0, keptCharacters));
  }
}

/** The start of a rejected answer is enough to see why it was rejected. */
const keptCharacters = 4000;

/** Returns null if the run's time is over. */
async function call(asked: Asked): Promise<TurnResult | BudgetRefusal | null> {
  const { attempt, options } = asked;
  const { lead, deadline } = options.way;
  if (deadline.signal.aborted) return null;
  const lost = await recoverLostCall(attempt, (sessionId) => lead.harvest(sessionId, callName(asked)));
  switch (lost?.kind) {
    case 'ended':
      if (lost.result.kind === 'answered') {
        const { stopReason, usage } = lost.result;
        emit(asked, { type: 'turn.ended', stop_reason: stopReason, usage });
      }
      return lost.result;
    case 'go_on':
      return send(asked, renderCutAgain(), lost.sessionId);
    default:
      return send(asked, asked.prompt, null);
  }
}

async function send(
  asked: Asked,
  prompt: string,
  sessionId: string | null,
): Promise<TurnResult | BudgetRefusal | null> {
  const { attempt, input, options } = asked;
  const { lead, deadline, budget, folder, round, limits } = options.way;
  const { phase } = exchangeSpecOf(input.exchange.request.tag);
  try {
    return await callWithin(budget, { prompt, emit: (event) => emit(asked, event) }, (heard) =>
      lead.turn({
        prompt,
        callId: `${callName(asked)}/${attempt.number}`,
        sessionId,
        signal: AbortSignal.any([attempt.signal, options.actorSignal, deadline.signal]),
        limits: limitsIn(limits, phase),
        emit: heard,
        bind: (boundSessionId) => attempt.bind(boundSessionId),
        work: {
          kind: 'answer_back',
          phase,
          round,
          access: 'read',
          folder,
        },
      }),
    );
  } catch (error) {
    const ours = attempt.signal.aborted || options.actorSignal.aborted;
    if (!ours && deadline.signal.aborted) return null;
    throw error;
  }
}

/** Returns the prefix that the ids of all attempts of the call share. */
function callName({ input, options }: Asked): string {
  return `lead_${input.exchange.name}-${options.step}/1`;
}

function emit({ attempt, input, options }: Asked, event: EventBody): void {
  attempt.emit(event, { agent: options.way.leadAgent, exchangeId: `ex_${input.exchange.name}` });
}
