/** The list of runs, and the state of one run, in words. */
import { outcomeStyle, severityStyle } from '../../views/tables/styles.ts';
import { renderFields, type Field } from '../../views/tables/field-list.ts';
import { renderFactTable, type Fact, type FactColumn } from '../../views/tables/fact-table.ts';
import { printable } from '../../views/reports/foreign-text.ts';
import { renderCost } from '../../views/reports/usage-line.ts';
import type { ListedRun } from '../../runs/folder/listed-run.ts';
import { severities, type Severity } from '../../tags/severities.ts';
import { onOneLine } from '../../text/one-line.ts';
import { renderAge, renderCount, renderDuration, renderRough } from '../../text/quantities.ts';
import { plain, styled, type Line } from '../../text/spans.ts';

const columns: readonly FactColumn[] = [
  { head: 'Run' },
  { head: 'Outcome' },
  { head: 'Crit', align: 'right' },
  { head: 'Imp', align: 'right' },
  { head: 'Min', align: 'right' },
  { head: 'Age', align: 'right' },
  { head: 'Time', align: 'right' },
  { head: 'Cost', align: 'right' },
];

const nothing: Fact = { cell: [styled('-', 'dim')], alone: null };

export function renderRuns(
  runs: readonly ListedRun[],
  { nowMs, width }: { readonly nowMs: number; readonly width: number },
): readonly Line[] {
  const rows = runs.map((run) => ({
    facts: [
      { cell: [styled(run.run, 'bold')] },
      { cell: [stateOf(run)] },
      ...severities.map((severity) => severityFact(run, severity)),
      ageFact(run, nowMs),
      timeFact(run),
      costFact(run),
    ],
    text: [whatOf(run)],
  }));
  return renderFactTable({ columns, textHead: 'What', rows }, width);
}

/** `next` is the command to continue with. */
export function renderRunState(
  run: ListedRun,
  { nowMs, width, next }: { readonly nowMs: number; readonly width: number; readonly next: string },
): readonly Line[] {
  const found = severities.map((severity) => severityFact(run, severity).alone ?? []);
  const counted = found.filter((line) => line.length > 0).flatMap((line) => [plain(', '), ...line]);
  const fields: readonly (Field | null)[] = [
    { label: 'state', text: [plain(run.state)] },
    run.outcome === null ? null : { label: 'outcome', text: [stateOf(run)] },
    subjectField(run),
    run.findings === null
      ? null
      : { label: 'findings', text: counted.length === 0 ? [plain('none that count')] : counted.slice(1) },
    agentField('lead', run.lead),
    agentField('advisor', run.advisor),
    run.started_at === null
      ? null
      : { label: 'started', text: [...(ageFact(run, nowMs).alone ?? []), plain(` (${run.started_at})`)] },
    durationOf(run) === null ? null : { label: 'took', text: timeFact(run).cell },
    usageField(run),
    { label: 'next', text: [plain(next)] },
  ];
  return [
    [styled(run.run, 'bold')],
    ...renderFields(
      fields.filter((field) => field !== null),
      width,
    ),
  ];
}

/** The outcome of a run that has ended, else its state. */
function stateOf({ state, outcome }: ListedRun) {
  const word = state === 'ended' ? (outcome ?? 'done') : state;
  return styled(word, ...outcomeStyle(word));
}

function severityFact({ findings }: ListedRun, severity: Severity): Fact {
  const found = findings?.[severity];
  if (found === undefined) return nothing;
  if (found === 0) return { cell: [styled('0', 'dim')], alone: null };
  const style = severityStyle[severity];
  return {
    cell: [styled(String(found), style, 'bold')],
    alone: [styled(`${found} ${severity}`, style)],
  };
}

function ageFact({ started_at }: ListedRun, nowMs: number): Fact {
  if (started_at === null) return nothing;
  const age = renderAge(nowMs - Date.parse(started_at));
  return { cell: [plain(age)], alone: [plain(`${age} ago`)] };
}

function timeFact(run: ListedRun): Fact {
  const duration = durationOf(run);
  if (duration === null) return nothing;
  return { cell: [plain(renderDuration(duration))], alone: [plain(`took ${renderDuration(duration)}`)] };
}

function durationOf({ started_at, ended_at }: ListedRun): number | null {
  if (started_at === null || ended_at === null) return null;
  return Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
}

/** A login without a price has used tokens; a run of rules alone has used nothing. */
function costFact({ cost_usd, tokens }: ListedRun): Fact {
  if (cost_usd !== null) return { cell: [plain(renderCost(cost_usd))] };
  if (tokens === null || tokens === 0) return nothing;
  return { cell: [plain(`${renderRough(tokens)} tok`)], alone: [plain(`${renderRough(tokens)} tokens`)] };
}

function usageField({ cost_usd, tokens }: ListedRun): Field | null {
  if (tokens === null) return null;
  if (tokens === 0) return { label: 'used', text: [plain('no model')] };
  return { label: 'used', text: [plain(`${renderCount(tokens, 'token')}; ${renderCost(cost_usd)}`)] };
}

function subjectField({ kind, subject }: ListedRun): Field | null {
  if (subject === null) return null;
  return { label: kind ?? 'about', text: [plain(oneLine(subject))] };
}

function agentField(label: string, agent: ListedRun['lead']): Field | null {
  return agent === null ? null : { label, text: [plain(oneLine(nameOf(agent)))] };
}

/** `review: main..HEAD (codex gpt-5.5)`. */
function whatOf({ kind, subject, lead, advisor }: ListedRun): Line {
  const what = [kind, subject === null ? null : oneLine(subject)].filter((part) => part !== null).join(': ');
  const agents = [lead, advisor].filter((agent) => agent !== null).map(nameOf);
  if (agents.length === 0) return [plain(what)];
  return [plain(what), styled(` (${oneLine(agents.join(' + '))})`, 'dim')];
}

function nameOf({ provider, model }: NonNullable<ListedRun['lead']>): string {
  return model === null ? provider : `${provider} ${model}`;
}

function oneLine(text: string): string {
  return onOneLine(printable(text));
}
