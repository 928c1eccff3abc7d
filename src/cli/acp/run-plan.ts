/** Folds the events of a run into a plan: its phases, and the chunks of a review. */
import type { PlanEntry, PlanEntryStatus } from '@agentclientprotocol/sdk';
import type { CollabEvent, CollabEventOf } from '../../events/collab-event.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import type { Phase } from '../../tags/tags.ts';
import { chunkOf, describeChunk, type PlannedChunk } from '../../views/screen/chunk-names.ts';

export interface RunPlan {
  /** Returns the whole plan if the event changes it, else null. */
  push(event: CollabEvent): readonly PlanEntry[] | null;
}

interface Step {
  readonly id: string;
  readonly content: string;
  status: PlanEntryStatus;
}

/** Entries of a plan; more chunks than this share one entry. */
const mostChunks = 20;

export function createRunPlan(input: RunInput): RunPlan {
  let steps: Step[] = firstSteps(input);
  let chunks: readonly PlannedChunk[] = [];
  /** Exchanges of each chunk that have not settled yet: a deep review has several. */
  const left = new Map<number, number>();
  let shown = '';

  const set = (id: string, status: PlanEntryStatus): void => {
    for (const step of steps) if (step.id === id) step.status = status;
  };

  function planReview({ chunks: planned, lenses = [] }: CollabEventOf<'review.planned'>): void {
    chunks = planned;
    left.clear();
    chunks.forEach((_chunk, index) => left.set(index, Math.max(1, lenses.length)));
    const at = steps.findIndex(({ id }) => id === 'review');
    const named = chunks.length <= mostChunks ? chunks : [];
    const ofChunks = named.map((_chunk, index): Step => ({
      id: `chunk ${index}`,
      content: `Review ${describeChunk(chunks, index)}`,
      status: 'pending',
    }));
    steps = [
      ...steps
        .slice(0, at + 1)
        .map((step, index) => (index === at ? { ...step, status: 'in_progress' as const } : step)),
      ...ofChunks,
      ...steps.slice(at + 1).filter(({ id }) => !id.startsWith('chunk ')),
    ];
  }

  function settle(index: number): void {
    const rest = (left.get(index) ?? 1) - 1;
    left.set(index, rest);
    if (rest <= 0) set(`chunk ${index}`, 'completed');
  }

  function take(event: CollabEvent): void {
    const chunk = event.exchange_id === undefined ? null : chunkOf(chunks, event.exchange_id);
    switch (event.type) {
      case 'phase.started':
        return set(event.phase, 'in_progress');
      case 'phase.ended':
        return set(event.phase, 'completed');
      case 'review.planned':
        return planReview(event);
      case 'exchange.sent':
        if (chunk !== null) set(`chunk ${chunk.index}`, 'in_progress');
        return input.kind === 'consult' ? set('consult', 'in_progress') : undefined;
      case 'exchange.ended':
        if (event.outcome !== 'settled') return;
        if (chunk !== null) settle(chunk.index);
        return input.kind === 'consult' ? set('consult', 'completed') : undefined;
      case 'finding.judged':
        return set('verify', 'in_progress');
      case 'run.ended':
        // Unfinished work stays open: the plan claims no more than the result.
        if (event.status !== 'success' || event.outcome === 'incomplete' || event.outcome === 'failed')
          return;
        for (const step of steps) step.status = 'completed';
        return;
      default:
    }
  }

  return {
    push(event) {
      take(event);
      const entries = steps.map(({ content, status }) => ({ content, status, priority: 'medium' as const }));
      const now = JSON.stringify(entries);
      if (now === shown) return null;
      shown = now;
      return entries;
    },
  };
}

function firstSteps(input: RunInput): Step[] {
  switch (input.kind) {
    case 'review':
      return [
        entry('review', `Review ${input.change.description}`),
        ...(input.verify ? [entry('verify', 'Check the findings')] : []),
      ];
    case 'consult':
      return [entry('consult', `Ask about the ${input.phase}`)];
    case 'workflow':
    case 'fix':
      return input.skill.phases.map(({ phase }) => entry(phase, nameOf(phase)));
  }
}

function entry(id: string, content: string): Step {
  return { id, content, status: 'pending' };
}

function nameOf(phase: Phase): string {
  return `${phase.charAt(0).toUpperCase()}${phase.slice(1)}`;
}
