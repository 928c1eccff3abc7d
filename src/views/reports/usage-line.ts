import { addCost } from '../../events/cost.ts';
import type { AgentUsage } from '../../review/outcome/usage.ts';
import { renderCount, renderNumber } from '../../text/quantities.ts';

/** `3 calls: 12,345 tokens in (8,000 cached), 678 out; $0.0421`; null if no call reported its usage. */
export function renderUsage(rows: readonly AgentUsage[]): string | null {
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const cached = rows.reduce((sum, { usage }) => sum + usage.cache_read, 0);
  const input = rows.reduce((sum, row) => sum + inputOf(row), 0);
  const output = rows.reduce((sum, { usage }) => sum + usage.output, 0);
  if (input + output === 0) return null;
  const fromCache = cached === 0 ? '' : ` (${renderNumber(cached)} cached)`;
  const costs = rows.map(({ cost_usd }) => cost_usd);
  const cost = costs.reduce<number | null>((sum, part) => addCost(sum, part), 0);
  return `${renderCount(calls, 'call')}: ${renderNumber(input)} tokens in${fromCache}, ${renderNumber(output)} out; ${renderCost(cost)}`;
}

/** Returns all input tokens of the model: uncached, read from the cache, written to it. */
export function inputOf({ usage }: AgentUsage): number {
  return usage.input + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h;
}

export function renderCost(cost: number | null): string {
  if (cost === null) return 'cost unknown';
  return cost < 0.01 ? `$${cost.toFixed(4)}` : `$${cost.toFixed(2)}`;
}
