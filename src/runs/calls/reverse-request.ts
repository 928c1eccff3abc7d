/**
 * Answers a reverse request of the advisor (X001-7) in one of four ways: it is declined with the reason because no one
 * is there to answer, the calling lead or a person answers it from outside, or a lead that is an agent answers it in a
 * session of its own.
 */
import type { EventAgent } from '../../events/collab-event.ts';
import type { AnswerBackInput } from '../../machine/exchange/exchange-machine.ts';
import type { SettledReverseAnswer } from '../../machine/exchange/exchange-types.ts';
import { reverseSpecOf } from '../../tags/tags.ts';
import { reverseQuestion } from './reverse-question.ts';
import type { RunContext } from '../../engine/port.ts';
import { askLeadBack, type LeadWay } from './lead-reply.ts';

export type AnswerWay =
  | { readonly kind: 'declined'; readonly reason: string }
  /** Suspends the run until `collab answer`, or this process's answerer, gives an answer. */
  | { readonly kind: 'asked'; readonly by: 'caller' | 'user' }
  | LeadWay;

export interface AnswerBackOptions {
  readonly way: AnswerWay;
  /** The agent of the events that record it. */
  readonly agent: EventAgent;
  /** Aborted when the machine leaves the state that asks. */
  readonly actorSignal: AbortSignal;
}

export function answerBack(
  context: RunContext,
  input: AnswerBackInput,
  options: AnswerBackOptions,
): Promise<SettledReverseAnswer> {
  const { way } = options;
  return context.child(input.exchange.path, async (exchange) => {
    switch (way.kind) {
      case 'declined':
        return record(exchange, input, options, {
          by: 'policy',
          declined: way.reason,
          sections: {},
        });
      case 'asked': {
        const sections = await exchange.receive(nameOf(input), reverseQuestion(input.request));
        return record(exchange, input, options, { by: way.by, declined: null, sections });
      }
      case 'agent':
        return askLeadBack(exchange, input, {
          ...options,
          way,
          step: nameOf(input),
          tag: reverseSpecOf(input.request.tag).answer,
        });
    }
  });
}

/** Names both its question and the step that records its answer. */
function nameOf({ number }: AnswerBackInput): string {
  return `reverse-${number}`;
}

function record(
  exchange: RunContext,
  input: AnswerBackInput,
  { agent }: AnswerBackOptions,
  given: Omit<SettledReverseAnswer, 'tag'>,
): Promise<SettledReverseAnswer> {
  const answer: SettledReverseAnswer = { tag: reverseSpecOf(input.request.tag).answer, ...given };
  return exchange.step(nameOf(input), { request: input.request, answer }, async (attempt) => {
    attempt.emit(
      {
        type: 'exchange.answered_back',
        by: answer.by,
        ...(answer.declined === null ? {} : { declined: answer.declined }),
        text: sectionsAsText(answer.sections),
      },
      { agent, exchangeId: `ex_${input.exchange.name}` },
    );
    return { value: answer };
  });
}

export function sectionsAsText(sections: SettledReverseAnswer['sections']): string {
  return Object.entries(sections)
    .map(([name, text]) => `## ${name}\n\n${text}`)
    .join('\n\n');
}
