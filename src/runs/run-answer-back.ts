/** Answers a reverse request where no lead is there: declined, with the reason, so that the exchange goes on (X001-7). */
import type { EventAgent } from '../events/collab-event.ts';
import type { AnswerBackInput } from '../machine/exchange-machine.ts';
import type { ReverseAnswer } from '../machine/exchange-types.ts';
import { reverseSpecs } from '../tags/tags.ts';
import type { RunContext } from './engine-port.ts';

const reason =
  'no lead takes part in this review; everything there is to see is the change and, where you have it, the review folder';

export function declineReverseRequest(
  context: RunContext,
  input: AnswerBackInput,
  agent: EventAgent,
): Promise<ReverseAnswer> {
  const spec = reverseSpecs.find((candidate) => candidate.request === input.request.tag);
  if (spec === undefined) throw new RangeError(`${input.request.tag} is no reverse request`);
  return context.child(input.exchange.path, (exchange) =>
    exchange.step(`reverse-${input.number}`, { request: input.request }, async (attempt) => {
      attempt.emit(
        { type: 'exchange.answered_back', by: 'policy', declined: reason, text: '' },
        { agent, exchangeId: `ex_${input.exchange.name}` },
      );
      return { value: { tag: spec.answer, by: 'policy', declined: reason, sections: {} } };
    }),
  );
}
