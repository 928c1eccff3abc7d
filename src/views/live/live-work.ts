/** Folds events into what a run is doing at this moment, for the live lines of a terminal. */
import type { CollabEvent, CollabEventOf, EventAgent } from '../../events/collab-event.ts';
import { agentName, type AgentNames } from '../../events/speakers.ts';
import type { Phase } from '../../tags/tags.ts';
import { chunkOf, describeChunk, describeExchange, type PlannedChunk } from '../screen/chunk-names.ts';
import { mainArgument } from '../screen/main-argument.ts';
import { createSessionTotals } from '../screen/session-totals.ts';
import type { ToolText } from '../screen/tool-lines.ts';

export interface LiveWork {
  /** Unix time of the run's first event; null before it. */
  readonly startedMs: number | null;
  readonly phase: { readonly name: Phase; readonly round: number } | null;
  /** Exchanges of the review that have settled, and those planned; null outside a review. */
  readonly settled: {
    readonly done: number;
    readonly planned: number;
    readonly unit: 'chunk' | 'exchange';
  } | null;
  /** The agents with an open turn; the one that began first comes first. */
  readonly workers: readonly Worker[];
  /** Input and output of all agents so far. */
  readonly tokens: number;
  /** In US dollars; null as soon as one call had no price. */
  readonly cost: number | null;
}

export interface Worker {
  /** `Codex`, `Claude Code`. */
  readonly name: string;
  readonly role: EventAgent['role'];
  /** The part of the work: `chunk 2/5 src/api (3 files, 412 lines)`, `consult 1`; null if the phase says it. */
  readonly part: string | null;
  readonly doing: Doing;
  /** Unix time at which it began to do this. */
  readonly sinceMs: number;
}

export type Doing = 'starting' | 'thinking' | 'writing' | ToolText;

export interface LiveWorkFold {
  /** Names the agents as the introduction does; otherwise their provider gives the name. */
  introduce(names: AgentNames): void;
  push(event: CollabEvent): void;
  current(): LiveWork;
}

export function createLiveWork(): LiveWorkFold {
  const workers = new Map<string, Worker>();
  const totals = createSessionTotals();
  let names: AgentNames = {};
  let startedMs: number | null = null;
  let phase: LiveWork['phase'] = null;
  let chunks: readonly PlannedChunk[] = [];
  let passes = 1;
  let done = 0;

  function partOf(exchangeId: string | undefined): string | null {
    if (exchangeId === undefined) return null;
    const chunk = chunkOf(chunks, exchangeId);
    if (chunk === null) return describeExchange(exchangeId);
    return `${describeChunk(chunks, chunk.index)}${chunk.pass === null ? '' : `, ${chunk.pass}`}`;
  }

  function set(event: CollabEvent, doing: Doing): void {
    const { agent, exchange_id: exchangeId, ts } = event;
    const key = keyOf(event);
    const known = workers.get(key);
    if (known !== undefined && isSame(known.doing, doing)) return;
    const begun = {
      name: names[agent.role] ?? agentName(agent.provider),
      role: agent.role,
      part: partOf(exchangeId),
    };
    workers.set(key, { ...(known ?? begun), doing, sinceMs: Date.parse(ts) });
  }

  function plan({ chunks: planned, lenses }: CollabEventOf<'review.planned'>): void {
    chunks = planned;
    passes = lenses?.length ?? 1;
    done = 0;
  }

  function note(event: CollabEvent): void {
    switch (event.type) {
      case 'phase.started':
        phase = { name: event.phase, round: event.round };
        chunks = [];
        return;
      case 'review.planned':
        return plan(event);
      case 'exchange.sent':
        return event.cached === undefined ? set(event, 'starting') : undefined;
      case 'exchange.ended':
        if (event.outcome === 'settled' && chunkOf(chunks, event.exchange_id ?? '') !== null) done += 1;
        return;
      case 'turn.started':
      case 'thinking.delta':
      case 'text.end':
      case 'tool.result':
        return set(event, 'thinking');
      case 'text.delta':
        return set(event, 'writing');
      case 'tool.call':
        return set(event, { tool: event.name, content: mainArgument(event) });
      case 'turn.ended':
      case 'step.ended':
      case 'step.abandoned':
        workers.delete(keyOf(event));
        return;
      default:
    }
  }

  return {
    introduce(given) {
      names = given;
    },
    push(event) {
      startedMs ??= Date.parse(event.ts);
      totals.add(event, false);
      note(event);
    },
    current() {
      const { input, output, cost } = totals.current();
      // Passes for what was missed are not planned.
      const planned = Math.max(chunks.length * passes, done);
      const settled = { done, planned, unit: passes === 1 ? ('chunk' as const) : ('exchange' as const) };
      return {
        startedMs,
        phase,
        settled: chunks.length === 0 ? null : settled,
        workers: [...workers.values()],
        tokens: input + output,
        cost,
      };
    },
  };
}

/** A conversation has no steps, and one turn at a time. */
function keyOf({ step, agent }: CollabEvent): string {
  return step ?? agent.id;
}

function isSame(before: Doing, now: Doing): boolean {
  if (typeof before === 'string' || typeof now === 'string') return before === now;
  return before.tool === now.tool && before.content === now.content;
}
