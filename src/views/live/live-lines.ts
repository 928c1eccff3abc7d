/** The live lines below the log of a terminal: the whole run in one line, then a line for each agent at work. */
import { cutToWidth, displayWidth } from '../../text/display-width.ts';
import { neutralise } from '../../text/neutralise.ts';
import { onOneLine } from '../../text/one-line.ts';
import type { Paint } from '../../text/paint.ts';
import { renderCount, renderDuration } from '../../text/quantities.ts';
import { renderCost } from '../reports/usage-line.ts';
import { describeUse } from '../screen/tool-lines.ts';
import type { LiveWork, Worker } from './live-work.ts';

export interface LiveLinesOptions {
  /** No line is wider. */
  readonly columns: number;
  /** At least 1; further agents are counted in the last line. */
  readonly rows: number;
  /** Unix time. */
  readonly nowMs: number;
  readonly paint: Paint;
  /** Paths inside it are shown relative to it. */
  readonly cwd: string;
  readonly ascii: boolean;
}

/** One turn of the moving mark. */
const turnMs = 800;
const marks = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const plainMarks = ['-', '\\', '|', '/'];

export function renderLiveLines(activity: LiveWork, options: LiveLinesOptions): readonly string[] {
  const { workers } = activity;
  const room = Math.max(0, options.rows - 1);
  const shown = workers.length <= room ? workers : workers.slice(0, Math.max(0, room - 1));
  const hidden = workers.length - shown.length;
  return [
    renderHead(activity, options),
    ...shown.map((worker) => renderWorker(worker, options)),
    ...(hidden === 0 || room === 0 ? [] : [renderHidden(hidden, shown.length, options)]),
  ];
}

function renderHead(activity: LiveWork, { columns, nowMs, paint, ascii }: LiveLinesOptions): string {
  const { startedMs, tokens, cost } = activity;
  const frames = ascii ? plainMarks : marks;
  const mark = frames[Math.floor(((nowMs % turnMs) / turnMs) * frames.length)] ?? '';
  const facts = [
    describeWork(activity),
    ...describeSettled(activity),
    renderDuration(Math.max(0, nowMs - (startedMs ?? nowMs))).replace(/^\d\.\d s$/, '0 s'),
    ...(tokens === 0 ? [] : [renderCount(tokens, 'token')]),
    ...(tokens === 0 || cost === null ? [] : [renderCost(cost)]),
  ];
  return `${paint.cyan(mark)} ${joinFitting(facts, columns - 2, ascii)}`;
}

function describeWork({ phase, settled }: LiveWork): string {
  if (phase === null) return settled === null ? 'at work' : 'reviewing';
  return phase.round === 1 ? phase.name : `${phase.name}, round ${phase.round}`;
}

function describeSettled({ settled }: LiveWork): readonly string[] {
  if (settled === null) return [];
  return [`${settled.done} of ${renderCount(settled.planned, settled.unit)} settled`];
}

function renderWorker(worker: Worker, options: LiveLinesOptions): string {
  const { columns, nowMs, paint, ascii } = options;
  const { name, part, doing, sinceMs, role } = worker;
  const forMs = nowMs - sinceMs;
  const time = forMs < 1000 ? [] : [renderDuration(forMs)];
  const does = typeof doing === 'string' ? doing : describeUse(doing, options);
  const who = onOneLine(neutralise(name));
  const facts = [...(part === null ? [] : [onOneLine(neutralise(part))]), does, ...time];
  const room = columns - 2 - displayWidth(who) - displayWidth(separator(ascii));
  // In a narrow window the tool is more useful than the part of the work.
  const fits = displayWidth(facts.join(separator(ascii))) <= room;
  const told = fits ? facts.join(separator(ascii)) : joinFitting([does, ...time], room, ascii);
  return `  ${paint[role === 'lead' ? 'magenta' : 'blue'](who)}${separator(ascii)}${paint.dim(told)}`;
}

function renderHidden(hidden: number, shown: number, { columns, paint }: LiveLinesOptions): string {
  return paint.dim(
    cutToWidth(`  ${shown === 0 ? '' : 'and '}${renderCount(hidden, 'agent')} at work`, columns),
  );
}

function separator(ascii: boolean): string {
  return ascii ? ' - ' : ' · ';
}

/** Leaves out the last facts if there is no room for them; the first one is cut. */
function joinFitting(facts: readonly string[], columns: number, ascii: boolean): string {
  for (let count = facts.length; count > 1; count -= 1) {
    const text = facts.slice(0, count).join(separator(ascii));
    if (displayWidth(text) <= columns) return text;
  }
  return cutToWidth(facts[0] ?? '', columns);
}
