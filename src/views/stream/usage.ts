import type { CollabEvent, Usage } from '../../events/collab-event.ts';
import { renderUsd, toPicodollars } from '../../events/cost.ts';
import { addTokens, noTokens, type Tokens } from '../../events/tokens.ts';
import { createModelCalls } from '../../events/model-calls.ts';
import type { DoneEventData, ModelUsageInfo, UsageInfo } from './event.ts';

export type StreamingUsage = Pick<DoneEventData, 'usage' | 'cost_usd' | 'cost_known' | 'model_usage'>;

/**
 * Sums tokens and money of all agents, by model; totals are computed from the parts (R002-37), in whole picodollars
 * (X002-23).
 */
export function createStreamingUsage() {
  const calls = createModelCalls();
  const models = new Map<string, ModelSum>();

  return {
    /** Returns the usage that the event reports for a model call; null if there is none. */
    add(event: CollabEvent): Usage | null {
      const usage = calls.in(event);
      if (usage !== null) models.set(usage.model, addCall(models.get(usage.model) ?? nothing, usage));
      return usage;
    },
    current(): StreamingUsage {
      const sum = [...models.values()].reduce(addSums, nothing);
      return {
        usage: toUsageInfo(sum.tokens),
        ...costOf(sum),
        model_usage: Object.fromEntries([...models].map(([model, own]) => [model, toModelUsage(own)])),
      };
    },
  };
}

/** `cost` is in picodollars. */
interface ModelSum {
  readonly tokens: Tokens;
  readonly cost: bigint;
  readonly costKnown: boolean;
}

const nothing: ModelSum = { tokens: noTokens, cost: 0n, costKnown: true };

function addCall(sum: ModelSum, usage: Usage): ModelSum {
  return {
    tokens: addTokens(sum.tokens, usage),
    cost: sum.cost + toPicodollars(usage.cost ?? 0),
    costKnown: sum.costKnown && usage.cost !== null,
  };
}

function addSums(one: ModelSum, other: ModelSum): ModelSum {
  return {
    tokens: addTokens(one.tokens, other.tokens),
    cost: one.cost + other.cost,
    costKnown: one.costKnown && other.costKnown,
  };
}

function toUsageInfo({ input, output, cache_write_5m, cache_write_1h, cache_read }: Tokens): UsageInfo {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_5m_tokens: cache_write_5m,
    cache_creation_1h_tokens: cache_write_1h,
    cache_read_tokens: cache_read,
    total_tokens: input + output,
  };
}

function toModelUsage(sum: ModelSum): ModelUsageInfo {
  const { tokens } = sum;
  return {
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cache_creation_5m_input_tokens: tokens.cache_write_5m,
    cache_creation_1h_input_tokens: tokens.cache_write_1h,
    cache_read_input_tokens: tokens.cache_read,
    ...costOf(sum),
  };
}

/** A call without a price adds nothing, and is marked. */
function costOf({ cost, costKnown }: ModelSum): { cost_usd: string; cost_known?: boolean } {
  return { cost_usd: renderUsd(cost), ...(costKnown ? {} : { cost_known: false }) };
}
