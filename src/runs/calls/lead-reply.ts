/** Answers a reverse request through a lead that is an agent: one turn in a new session, with reading tools only. */
import type { EventAgent, EventBody } from '../../events/collab-event.ts';
import type { AnswerBackInput } from '../../machine/exchange/exchange-machine.ts';
import type { SettledReverseAnswer } from '../../machine/exchange/exchange-types.ts';
import { declined } from '../../prompts/repair/declined-answer.ts';
import { renderCutAgain } from '../../prompts/repair/repair.ts';
import { renderReverseRequest } from '../../prompts/repair/reverse-request.ts';
import { isCutShort } from '../../providers/contract/stop-reason.ts';
import { exchangeSpecOf, type ReverseAnswerTag } from '../../tags/tags.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import type { TurnOutcome } from '../../machine/exchange/read-turn.ts';
import { sha256 } from '../../text/digest.ts';
import { fenceNonce } from './fence-nonce.ts';
import type { RunContext, StepAttempt } from '../../engine/port.ts';
import type { Lead } from '../agents/lead-agent.ts';
import { makePaidCall, type CallTerms } from './paid-call.ts';
import { reader } from '../reading/reader.ts';
import { limitsIn, type LimitSettings } from '../folder/run-settings.ts';

export interface LeadWay extends Pick<CallTerms, 'deadline' | 'budget'> {
  readonly kind: 'agent';
  readonly lead: Pick<Lead, 'turn' | 'harvest'>;
  /** The agent of the events of its turns. */
  readonly leadAgent: EventAgent;
  /** The folder that it may read; null: nothing. */
  readonly folder: string | null;
  /** The round of the phase that the exchange belongs to. */
  readonly round: number;
  readonly limits: LimitSettings;
  readonly fenceSeed: string;
}

export interface LeadAnswerOptions extends Pick<CallTerms, 'actorSignal'> {
  readonly way: LeadWay;
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
    const { answer, said } = await readLead(asked, await call(asked));
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

async function readLead({ options: { tag }, input, attempt }: Asked, result: TurnOutcome): Promise<Read> {
  const decline = (reason: string, said = ''): Read => ({
    answer: { tag, by: 'lead', declined: reason, sections: {} },
    said,
  });
  if (result.kind === 'refused') {
    return decline(result.cause === 'time' ? declined.noTime : declined.noBudget);
  }
  if (result.kind !== 'answered') return decline(declined.failed(result.message));
  if (isCutShort(result.stopReason)) return decline(declined.cut, result.text.slice(0, keptCharacters));
  const reading = await reader.reverseAnswer(result.text, input.request.tag, attempt.signal);
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

function call({ options, input, prompt, attempt }: Asked): Promise<TurnOutcome> {
  const { lead, folder, round, limits, deadline, budget } = options.way;
  const { phase } = exchangeSpecOf(input.exchange.request.tag);
  return makePaidCall({
    terms: { deadline, budget, actorSignal: options.actorSignal },
    attempt,
    name: `lead_${input.exchange.name}-${options.step}/1`,
    prompt,
    sessionId: null,
    again: () => renderCutAgain(),
    afresh: () => null,
    harvest: (sessionId, callId) => lead.harvest(sessionId, callId),
    turn: (paid) =>
      lead.turn({
        ...paid,
        limits: limitsIn(limits, phase),
        work: { kind: 'answer_back', phase, round, access: 'read', folder },
      }),
    emit: (event) => emit({ options, input, attempt }, event),
  });
}

function emit({ attempt, input, options }: Omit<Asked, 'prompt'>, event: EventBody): void {
  attempt.emit(event, { agent: options.way.leadAgent, exchangeId: `ex_${input.exchange.name}` });
}
