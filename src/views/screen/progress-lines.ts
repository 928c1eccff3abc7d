import type { CollabEvent, CollabEventOf, ExchangeAction } from '../../events/collab-event.ts';
import { onOneLine } from '../../text/one-line.ts';
import { preview } from '../../text/preview.ts';
import { renderCount, renderDuration } from '../../text/quantities.ts';

/** Up to this many skipped files are named one by one; for more, each reason is listed once with its count. */
const namedSkips = 12;

/** Describes the files that are reviewed and the skipped ones, with the reason. */
export function describePlan({
  files,
  lines,
  chunks,
  skipped,
  lenses = [],
}: CollabEventOf<'review.planned'>): readonly string[] {
  const reviewed = files - skipped.length;
  return [
    ...describeSkips(skipped),
    `reviewing ${renderCount(reviewed, 'file')}, ${renderCount(lines, 'line')} in ${renderCount(chunks.length, 'chunk')}${lenses.length === 0 ? '' : `, each for ${lenses.join(', ')}`}`,
  ];
}

function describeSkips(skipped: CollabEventOf<'review.planned'>['skipped']): readonly string[] {
  if (skipped.length <= namedSkips) return skipped.map(({ path, reason }) => `skipped ${path}: ${reason}`);
  const numbers = new Map<string, number>();
  for (const { reason } of skipped) numbers.set(reason, (numbers.get(reason) ?? 0) + 1);
  return [...numbers].map(([reason, number]) => `skipped ${renderCount(number, 'file')}: ${reason}`);
}

/** Describes the next action and its reason; returns nothing if the end of the exchange reports it. */
export function describeRejection({ action, detail }: CollabEventOf<'exchange.rejected'>): readonly string[] {
  const next = repairs[action];
  return next === null ? [] : [`${next}: ${reasonOf(detail)}`];
}

const repairs: Readonly<Record<ExchangeAction, string | null>> = {
  repairing: 'asked again',
  completing: 'asked again',
  recontextualising: 'asked again with the context',
  shortening: 'asked again, shorter',
  waiting: 'waiting before another attempt',
  answering: null,
  settled: null,
  exhausted: null,
  unavailable: null,
};

function reasonOf(detail: string): string {
  const missing = /^missing: (.+)$/.exec(detail)?.[1];
  if (missing === undefined) return detail;
  return `${missing} ${missing.includes(',') ? 'were' : 'was'} missing`;
}

/** Describes how an exchange ended, in words and numbers. */
export function describeEnd(
  { outcome, attempts }: CollabEventOf<'exchange.ended'>,
  tookMs: number,
  findings: number | null,
): string {
  const tries = renderCount(attempts, 'attempt');
  const took = renderDuration(tookMs);
  if (outcome === 'exhausted') return `not settled: given up after ${tries} and ${took}`;
  if (outcome === 'unavailable') return `not settled: the advisor could not answer (${tries}, ${took})`;
  return `settled in ${took}${findings === null ? '' : `, ${renderCount(findings, 'finding')}`}`;
}

/** Reports whether an earlier run has the answer; most requests are simply sent. */
export function describeCache({
  cached,
  cache_fault: fault,
}: CollabEventOf<'exchange.sent'>): readonly string[] {
  if (fault !== undefined) return [`${fault}; it is asked again`];
  return cached === undefined ? [] : [`unchanged: answered from the cache, as run ${cached.run_id} was`];
}

/** Describes the progress of a run of phases. */
export function describePhase(event: CollabEventOf<'phase.started'> | CollabEventOf<'phase.ended'>): string {
  const { phase, round } = event;
  const place = round === 1 ? phase : `${phase}, round ${round}`;
  return event.type === 'phase.started' ? `${place} begins` : `${place}: ${event.result}`;
}

/** Describes who decided at a gate, and how. */
export function describeAnswer({ by, value }: CollabEventOf<'question.answered'>): string {
  const who = { user: 'you', lead: 'the lead', caller: 'the caller', policy: '--yes' }[by];
  return typeof value === 'string'
    ? `answered by ${who}: ${preview(onOneLine(value), 60)}`
    : `answered by ${who}`;
}

/** Describes the lead's verdict on a finding; the report has its reason and its evidence. */
export function describeVerdict(event: CollabEvent & CollabEventOf<'finding.judged'>): string {
  const { id, verdict, cached, cache_fault: fault } = event;
  const by = event.agent.role === 'advisor' ? 'the advisor' : 'the lead';
  const said = verdict === 'unverified' ? `not verified by ${by}` : `${verdict} by ${by}`;
  const from = cached === undefined ? '' : `, from the cache, as in run ${cached.run_id}`;
  return `${id}: ${said}${from}${fault === undefined ? '' : ` (${fault}; it was asked again)`}`;
}
