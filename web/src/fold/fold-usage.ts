import {
  addCost,
  addTokens,
  createModelCalls,
  noTokens,
  type CollabEvent,
  type Usage,
} from '../../../src/client/run-events.ts';
import type { PhaseState, SpeakerState, SpendingState, UsageState } from '../run-state.ts';
import { createKeyedList } from './keyed-list.ts';

export interface UsageFold {
  readonly take: (event: CollabEvent, role: SpeakerState['role'], phase: PhaseState | undefined) => void;
  readonly current: () => UsageState;
}

/** Counts every model call once, whether the call or its turn reports the usage. */
export function createUsageFold(): UsageFold {
  const calls = createModelCalls();
  const byModel = createKeyedList<UsageState['byModel'][number]>(keyOf);
  const byPhase = createKeyedList<UsageState['byPhase'][number]>(({ phase }) => phase);
  let total: SpendingState = nothing;
  let shown: UsageState = { total, byModel: byModel.current(), byPhase: byPhase.current() };

  return {
    take(event, role, begun) {
      const usage = calls.in(event);
      if (usage === null) return;
      total = spend(total, usage);
      const { model } = usage;
      const key = keyOf({ role, model });
      byModel.put(key, { role, model, ...spend(byModel.get(key) ?? nothing, usage) });
      if (begun === undefined) return;
      const { phase } = begun;
      byPhase.put(phase, { phase, ...spend(byPhase.get(phase) ?? nothing, usage) });
    },
    current() {
      if (total !== shown.total) shown = { total, byModel: byModel.current(), byPhase: byPhase.current() };
      return shown;
    },
  };
}

const nothing: SpendingState = { tokens: noTokens, calls: 0, costUsd: 0 };

function spend({ tokens, calls, costUsd }: SpendingState, usage: Usage): SpendingState {
  return { tokens: addTokens(tokens, usage), calls: calls + 1, costUsd: addCost(costUsd, usage.cost) };
}

function keyOf({ role, model }: { readonly role: string; readonly model: string }): string {
  return `${role} ${model}`;
}
