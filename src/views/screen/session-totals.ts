import type { CollabEvent, Usage } from '../../events/collab-event.ts';
import { addCost, renderRoundedUsd } from '../../events/cost.ts';
import { contextAfter, createModelCalls } from '../../events/model-calls.ts';

/** Tokens and money of a whole session, for all its agents, and the context of the next turn of its own agent. */
export interface SessionTotals {
  readonly input: number;
  readonly output: number;
  /** In US dollars; null as soon as one call had no price. */
  readonly cost: number | null;
  /** Input, cache and output of the own agent's last call (B.5). */
  readonly nextContext: number;
}

export function createSessionTotals() {
  let totals: SessionTotals = { input: 0, output: 0, cost: 0, nextContext: 0 };
  const calls = createModelCalls();

  function count(usage: Usage, isMain: boolean): void {
    totals = {
      input: totals.input + usage.input,
      output: totals.output + usage.output,
      cost: addCost(totals.cost, usage.cost),
      nextContext: isMain ? contextAfter(usage) : totals.nextContext,
    };
  }

  return {
    add(event: CollabEvent, isMain: boolean): void {
      const usage = calls.in(event);
      if (usage !== null) count(usage, isMain);
      else if (event.type === 'context' && isMain) totals = { ...totals, nextContext: event.tokens };
    },
    current: (): SessionTotals => totals,
  };
}

/** Renders R000-15's line without its last entry. An unknown price is left out: zero would be a claim. */
export function renderStatistics(durationMs: number, totals: Omit<SessionTotals, 'nextContext'>): string {
  return [
    `duration_ms=${durationMs}`,
    ...(totals.cost === null ? [] : [`cost_usd=${renderRoundedUsd(totals.cost)}`]),
    `input_tokens=${totals.input}`,
    `output_tokens=${totals.output}`,
  ].join(', ');
}
