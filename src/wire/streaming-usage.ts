import type { CollabEvent, Usage } from '../events/collab-event.ts';
import { renderUsd, toPicodollars } from '../events/cost.ts';
import { createModelCalls } from './model-calls.ts';
import type { DoneEventData, ModelUsageInfo, UsageInfo } from './streaming-event.ts';

export type StreamingUsage = Pick<DoneEventData, 'usage' | 'cost_usd' | 'cost_known' | 'model_usage'>;

export interface StreamingUsageFold {
  /** What a model call took that the event tells of; null where it tells of none. */
  add(event: CollabEvent): Usage | null;
  current(): StreamingUsage;
}

/** Tokens and money of all agents, by model; the sums are made of the parts (R002-37), in whole picodollars (X002-23). */
export function createStreamingUsage(): StreamingUsageFold {
  const calls = createModelCalls();
  const models = new Map<string, ModelSum>();

  return {
    add(event) {
      const usage = calls.in(event);
      if (usage !== null) models.set(usage.model, addCall(models.get(usage.model) ?? nothing, usage));
      return usage;
    },
    current() {
      const sum = [...models.values()].reduce(addSums, nothing);
      return {
        usage: toUsageInfo(sum),
        ...costOf(sum),
        model_usage: Object.fromEntries([...models].map(([model, own]) => [model, toModelUsage(own)])),
      };
    },
  };
}

/** `cost` is in picodollars. */
interface ModelSum {
  readonly input: number;
  readonly output: number;
  readonly written5m: number;
  readonly written1h: number;
  readonly read: number;
  readonly cost: bigint;
  readonly costKnown: boolean;
}

const nothing: ModelSum = {
  input: 0,
  output: 0,
  written5m: 0,
  written1h: 0,
  read: 0,
  cost: 0n,
  costKnown: true,
};

function addCall(sum: ModelSum, usage: Usage): ModelSum {
  return addSums(sum, {
    input: usage.input,
    output: usage.output,
    written5m: usage.cache_write_5m,
    written1h: usage.cache_write_1h,
    read: usage.cache_read,
    cost: usage.cost === null ? 0n : toPicodollars(usage.cost),
    costKnown: usage.cost !== null,
  });
}

function addSums(one: ModelSum, other: ModelSum): ModelSum {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    written5m: one.written5m + other.written5m,
    written1h: one.written1h + other.written1h,
    read: one.read + other.read,
    cost: one.cost + other.cost,
    costKnown: one.costKnown && other.costKnown,
  };
}

function toUsageInfo({ input, output, written5m, written1h, read }: ModelSum): UsageInfo {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_5m_tokens: written5m,
    cache_creation_1h_tokens: written1h,
    cache_read_tokens: read,
    total_tokens: input + output,
  };
}

function toModelUsage(sum: ModelSum): ModelUsageInfo {
  return {
    input_tokens: sum.input,
    output_tokens: sum.output,
    cache_creation_5m_input_tokens: sum.written5m,
    cache_creation_1h_input_tokens: sum.written1h,
    cache_read_input_tokens: sum.read,
    ...costOf(sum),
  };
}

/** A call without a price counts nothing, and says so. */
function costOf({ cost, costKnown }: ModelSum): { cost_usd: string; cost_known?: boolean } {
  return { cost_usd: renderUsd(cost), ...(costKnown ? {} : { cost_known: false }) };
}
