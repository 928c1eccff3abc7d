import type { PhrasingContent } from 'mdast';
import type { AgentUsage } from '../../review/outcome/usage.ts';
import { renderNumber } from '../../text/quantities.ts';
import { foreignCode, type Block } from './foreign-markdown.ts';
import { table, text } from './markdown-nodes.ts';
import { inputOf, renderCost } from '../reports/usage-line.ts';

/** Renders a row for each agent in each phase. Model names are foreign text. */
export function usageTable(rows: readonly AgentUsage[]): Block {
  const head = ['phase', 'agent', 'model', 'calls', 'tokens in', 'of them cached', 'tokens out', 'cost'];
  return table([head.map((name) => [text(name)]), ...rows.map(cells)]);
}

function cells(row: AgentUsage): readonly (readonly PhrasingContent[])[] {
  const { phase, agent, provider, model, calls, usage, cost_usd } = row;
  return [
    [text(phase ?? 'none')],
    [text(`${agent}, `), foreignCode(provider)],
    [model === null ? text('unknown') : foreignCode(model)],
    ...[calls, inputOf(row), usage.cache_read, usage.output].map((count) => [text(renderNumber(count))]),
    [text(renderCost(cost_usd).replace('cost ', ''))],
  ];
}
