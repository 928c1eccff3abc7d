/** Renders a run's spans as a tree with a column each for time, tokens and cost. */
import { addCost } from '../../events/cost.ts';
import { countTokens } from '../../events/tokens.ts';
import { phases } from '../../tags/tags.ts';
import { cutToWidth, displayWidth } from '../../text/display-width.ts';
import { visibleName } from '../../text/neutralise.ts';
import { renderDuration, renderNumber } from '../../text/quantities.ts';
import { renderCost } from '../../views/reports/usage-line.ts';
import type { AgentCall } from '../../review/outcome/usage.ts';
import type { RunTrace, SpanDetail, TraceSpan } from './trace-span.ts';

/** The widths of the columns behind the name. */
const columns = { time: 12, tokens: 11, cost: 9 } as const;
const indent = '  ';
/** A name keeps so many columns in the narrowest terminal and at the deepest level. */
const leastName = 16;

/** `width` is in terminal columns. */
export function renderTrace({ spans }: RunTrace, width: number): readonly string[] {
  const depths = depthsOf(spans);
  const calls = callsBelow(spans);
  const nameWidth = Math.max(width - columns.time - columns.tokens - columns.cost, leastName);
  const head = rowOf({ name: '', time: 'time', tokens: 'tokens', cost: 'cost' }, nameWidth);
  return [
    head,
    ...spans.map((span) => {
      const name = indent.repeat(depths.get(span.id) ?? 0) + nameOf(span);
      const paid = calls.get(span.id) ?? [];
      const time = renderDuration((span.endedAt - span.begunAt) / 1000);
      return rowOf({ name, time, tokens: tokensOf(paid), cost: costOf(paid) }, nameWidth);
    }),
  ];
}

interface Row {
  readonly name: string;
  readonly time: string;
  readonly tokens: string;
  readonly cost: string;
}

function rowOf({ name, time, tokens, cost }: Row, nameWidth: number): string {
  const cut = cutToWidth(visibleName(name), nameWidth);
  const cells = [time.padStart(columns.time), tokens.padStart(columns.tokens), cost.padStart(columns.cost)];
  return (cut + ' '.repeat(nameWidth - displayWidth(cut)) + cells.join('')).trimEnd();
}

function depthsOf(spans: readonly TraceSpan[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { id, parentId } of spans) {
    depths.set(id, parentId === null ? 0 : (depths.get(parentId) ?? 0) + 1);
  }
  return depths;
}

/** The paid calls of each span and of all spans below it. */
function callsBelow(spans: readonly TraceSpan[]): ReadonlyMap<string, readonly AgentCall[]> {
  const parents = new Map(spans.map(({ id, parentId }) => [id, parentId]));
  const calls = new Map<string, AgentCall[]>();
  for (const { id, detail } of spans) {
    if (detail.kind !== 'call') continue;
    for (let above: string | null = id; above !== null; above = parents.get(above) ?? null) {
      const paid = calls.get(above);
      if (paid === undefined) calls.set(above, [detail.call]);
      else paid.push(detail.call);
    }
  }
  return calls;
}

function tokensOf(calls: readonly AgentCall[]): string {
  if (calls.length === 0) return '';
  return renderNumber(calls.reduce((sum, { tokens }) => sum + countTokens(tokens), 0));
}

function costOf(calls: readonly AgentCall[]): string {
  if (calls.length === 0) return '';
  const cost = calls.reduce<number | null>((sum, call) => addCost(sum, call.cost), 0);
  return cost === null ? 'unknown' : renderCost(cost);
}

function nameOf({ detail, fault, isOpen }: TraceSpan): string {
  const end = endOf(detail, { fault, isOpen });
  return end === null ? titleOf(detail) : `${titleOf(detail)}: ${end}`;
}

function titleOf(detail: SpanDetail): string {
  switch (detail.kind) {
    case 'run':
      return `${detail.runKind ?? 'run'} ${detail.runId}`;
    case 'phase':
      return `${detail.phase}, round ${detail.round}`;
    case 'step':
      return `${stepName(detail.step)}${detail.attempt === 1 ? '' : `, attempt ${detail.attempt}`}`;
    case 'call':
      return `${detail.call.agent.role}, ${detail.call.model ?? detail.call.agent.provider}`;
    case 'agent':
      return `agent ${detail.type}`;
    case 'tool':
      return `tool ${detail.name}`;
    case 'question':
      return `question (${detail.asks})`;
  }
}

/** The line of the phase above has the first two words of `design/1/gate`. */
function stepName(step: string): string {
  const [phase, round = '', ...rest] = step.split('/');
  const isOfPhase = phases.some((name) => name === phase) && /^\d+$/.test(round) && rest.length > 0;
  return isOfPhase ? rest.join('/') : step;
}

function endOf(detail: SpanDetail, { fault, isOpen }: Pick<TraceSpan, 'fault' | 'isOpen'>): string | null {
  if (detail.kind === 'run') return detail.outcome ?? (isOpen ? detail.state : (fault ?? 'ended'));
  if (fault !== null) return fault;
  if (detail.kind !== 'question') return isOpen ? 'not over' : null;
  return detail.answeredBy === null ? 'no answer' : `answered by ${detail.answeredBy}`;
}
