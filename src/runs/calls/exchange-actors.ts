/** The exchange machine with its real actors: each is a step of the run, so that a resumed run takes the same path. */
import { fromPromise } from 'xstate';
import { exchangeMachine, type AnswerBackInput } from '../../machine/exchange/exchange-machine.ts';
import type { AskInput, AskOutput, SettledReverseAnswer } from '../../machine/exchange/exchange-types.ts';
import { createAgentReach } from './agent-reach.ts';
import { createBudget, noLimits, type Budget } from './budget.ts';
import type { RunContext } from '../../engine/port.ts';
import { answerBack, type AnswerWay } from './reverse-request.ts';
import { ask, type AskOptions } from './advisor-call.ts';
import type { RunDeadline } from './deadline.ts';
import type { KnownRun } from '../run-kind.ts';
import type { RunInput } from '../folder/run-input.ts';

/** Everything that exchanges need, in any kind of run. */
export interface ExchangeDrive extends Pick<AskOptions, 'runFolder' | 'clock' | 'advisor' | 'agent'> {
  readonly input: Pick<RunInput, 'advisor' | 'settings' | 'fence_seed'>;
  readonly deadline: RunDeadline;
  readonly budget: Budget;
  readonly met: KnownRun<RunInput>['met'];
  /** How the advisor's reverse requests are answered. */
  readonly answers: { readonly way: AnswerWay };
  /** Reports once who takes part, before the first call. */
  introduce(): Promise<unknown>;
}

export type ExchangeHooks = Pick<AskOptions, 'requestForAgent' | 'onRefusal' | 'remembersRefusal' | 'recall'>;

export function provideExchange(context: RunContext, drive: ExchangeDrive, hooks: ExchangeHooks) {
  const askOptions = {
    ...drive,
    ...hooks,
    // Rules use no tokens.
    budget: drive.input.advisor.assurance === 'static' ? createBudget(noLimits) : drive.budget,
    introduce: () => drive.introduce(),
    model: () => drive.met.advisor?.model ?? drive.input.advisor.model,
    promptLimit: drive.input.advisor.promptLimit,
    fenceSeed: drive.input.fence_seed,
    limits: drive.input.settings,
    waitsMs: drive.input.settings.waits_ms,
    reach: createAgentReach(drive.clock),
  };
  return exchangeMachine.provide({
    actors: {
      ask: fromPromise<AskOutput, AskInput>(({ input, signal }) =>
        ask(context, input, { ...askOptions, actorSignal: signal }),
      ),
      'answer back': fromPromise<SettledReverseAnswer, AnswerBackInput>(({ input, signal }) =>
        answerBack(context, input, { way: drive.answers.way, agent: drive.agent, actorSignal: signal }),
      ),
    },
  });
}
