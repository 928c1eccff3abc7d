/** The exchange machine with its real actors: each is a step of the run, so that a resumed run takes the same way. */
import { fromPromise } from 'xstate';
import type { EventAgent } from '../../events/collab-event.ts';
import { exchangeMachine, type AnswerBackInput } from '../../machine/exchange/exchange-machine.ts';
import type { AskInput, AskOutput, ReverseAnswer } from '../../machine/exchange/exchange-types.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { Clock } from '../../system/clock.ts';
import type { Advisor } from '../agents/advisor-agent.ts';
import { createBudget, noLimits, type Budget } from './budget.ts';
import type { RunContext } from '../../engine/types.ts';
import { answerBack, type AnswerWay } from './reverse-request.ts';
import { ask } from './advisor-call.ts';
import type { RunDeadline } from './deadline.ts';
import type { Recall } from '../cache/review-cache.ts';
import type { RunInput } from '../folder/run-input.ts';

/** What the exchanges of a run need, whatever the run is. */
export interface ExchangeDrive {
  readonly input: Pick<RunInput, 'advisor' | 'settings' | 'fence_seed'>;
  readonly runFolder: string;
  readonly clock: Clock;
  readonly advisor: Advisor;
  readonly agent: EventAgent;
  readonly deadline: RunDeadline;
  readonly budget: Budget;
  /** Who answers what the advisor asks back. */
  readonly answers: { readonly way: AnswerWay };
  /** Says once who gets what, before the first call. */
  introduce(): Promise<unknown>;
}

export interface ExchangeHooks {
  /** What the agent itself gets of a request whose prompt is masked. */
  readonly requestForAgent: (request: ConsultRequest) => ConsultRequest;
  /** Called where a turn ends by a refusal that is not remembered. */
  readonly onRefusal: () => void;
  /** Whether a refusal is remembered that usually is not, because the run goes on without this answer. */
  readonly remembersRefusal?: (request: ConsultRequest) => boolean;
  /** What earlier runs were answered; null where nothing is taken from there. */
  readonly recall?: Recall | null;
}

export function provideExchange(context: RunContext, drive: ExchangeDrive, hooks: ExchangeHooks) {
  const askOptions = {
    ...drive,
    ...hooks,
    // Rules use no tokens.
    budget: drive.input.advisor.assurance === 'static' ? createBudget(noLimits) : drive.budget,
    introduce: () => drive.introduce(),
    promptLimit: drive.input.advisor.promptLimit,
    fenceSeed: drive.input.fence_seed,
    limits: drive.input.settings,
    waitsMs: drive.input.settings.waits_ms,
  };
  return exchangeMachine.provide({
    actors: {
      ask: fromPromise<AskOutput, AskInput>(({ input, signal }) =>
        ask(context, input, { ...askOptions, actorSignal: signal }),
      ),
      'answer back': fromPromise<ReverseAnswer, AnswerBackInput>(({ input, signal }) =>
        answerBack(context, input, { way: drive.answers.way, agent: drive.agent, actorSignal: signal }),
      ),
    },
  });
}
