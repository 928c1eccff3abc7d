/**
 * Gives up an agent for a while if a whole exchange got no sign of its model: each other exchange would wait as long,
 * in vain.
 */
import { givenUpForMs } from '../../config/waits.ts';
import type { EventBody } from '../../events/collab-event.ts';
import type { TurnOutcome } from '../../machine/exchange/read-turn.ts';
import type { Clock } from '../../system/clock.ts';

export interface AgentReach {
  /** Returns the outcome of a call that is not made; null if the agent may be asked. */
  refusal(): TurnOutcome | null;
  /** Starts a turn of the exchange. */
  ask(exchange: string): void;
  /** Takes an event of any turn. */
  hear(event: EventBody): void;
  /** Takes the outcome of an exchange's last turn. */
  end(exchange: string, outcome: TurnOutcome): void;
}

export function createAgentReach(clock: Pick<Clock, 'now'>): AgentReach {
  const signsAtStart = new Map<string, number>();
  let signs = 0;
  let refusal: TurnOutcome | null = null;
  let refusedUntil = 0;
  return {
    refusal: () => (clock.now() < refusedUntil ? refusal : null),
    ask(exchange) {
      if (!signsAtStart.has(exchange)) signsAtStart.set(exchange, signs);
    },
    hear(event) {
      if (signsOfModel.has(event.type)) signs += 1;
    },
    end(exchange, outcome) {
      const cause = outageOf(outcome);
      if (cause === null || signsAtStart.get(exchange) !== signs || !('message' in outcome)) return;
      refusal = { kind: 'refused', cause, message: outcome.message, made: false };
      refusedUntil = clock.now() + givenUpForMs;
    },
  };
}

const signsOfModel: ReadonlySet<EventBody['type']> = new Set([
  'text.start',
  'text.delta',
  'thinking.delta',
  'tool.input',
  'tool.call',
]);

function outageOf(outcome: TurnOutcome): 'unreachable' | 'silent' | null {
  if (outcome.kind === 'overloaded' && outcome.unreachable === true) return 'unreachable';
  return outcome.kind === 'timed_out' && outcome.limit === 'first_byte' ? 'silent' : null;
}
