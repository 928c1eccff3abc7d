/** Folds the records of a run into its spans. */
import { CollabError } from '../../errors/collab-error.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import { groupBy } from '../../review/group-by.ts';
import { callsOf, type AgentCall } from '../../review/outcome/usage.ts';
import { sha256 } from '../../text/digest.ts';
import { microsOf } from '../micros-of.ts';
import { agentKey, phaseKey, stepKey } from './openings.ts';
import { draftOf, readDrafts, spanId, type ReadDrafts, type SpanDraft } from './read-drafts.ts';
import type { TracedRunDetail, RunTrace, TraceSpan } from './trace-span.ts';

/** The facts about the run that its records do not hold. */
export type TracedRun = Pick<TracedRunDetail, 'runId' | 'runKind' | 'state'>;

/** @throws CollabError `input` if nothing is recorded yet */
export function traceOf(events: readonly CollabEvent[], run: TracedRun): RunTrace {
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) {
    throw new CollabError('input', `${run.runId} has recorded nothing yet`);
  }
  const read = readDrafts(events);
  const latestOf = createFinder(read);
  const root = rootOf(first, last, run);
  const calls = callsOf(events).map((call) =>
    draftOfCall(call, run.runId, latestOf(stepKey(call.step), call)),
  );
  const callsOfStep = groupBy(calls, ({ step }) => step);
  const children = childrenOf([...read.drafts, ...calls], (draft) => parentOf(draft) ?? root);
  return { traceId: sha256(run.runId).slice(0, 32), spans: spansFrom(root, children, microsOf(last.ts)) };

  function parentOf(draft: SpanDraft): SpanDraft | null {
    const step = draft.step === undefined ? null : latestOf(stepKey(draft.step), draft);
    switch (draft.detail.kind) {
      case 'run':
      case 'phase':
        return null;
      case 'step':
        return phaseNamed(draft.detail.step);
      case 'question':
        return step ?? phaseNamed(draft.detail.name);
      case 'call':
        return step;
      case 'agent':
      case 'tool':
        return agentAbove(draft) ?? step;
    }
  }

  /** The name of a step or a question begins with its phase and round: `design/1/gate`. */
  function phaseNamed(name: string): SpanDraft | null {
    const [phase = '', round = ''] = name.split('/');
    return read.byKey.get(phaseKey(phase, round))?.[0] ?? null;
  }

  /** The nested agent that uses a tool or starts another agent; else the call of its agent. */
  function agentAbove(draft: SpanDraft): SpanDraft | null {
    const nested = latestOf(agentKey(draft.agentId), draft);
    if (nested !== null) return nested;
    const before = callsOfStep.get(draft.step)?.filter((call) => call.seq < draft.seq) ?? [];
    return before.findLast((call) => call.agentId === draft.agentId) ?? before.at(-1) ?? null;
  }
}

/** Finds the last span with a key that was opened before another one. */
function createFinder({ byKey }: ReadDrafts) {
  return (key: string, before: { readonly seq: number }): SpanDraft | null =>
    byKey.get(key)?.findLast(({ seq }) => seq < before.seq) ?? null;
}

function rootOf(first: CollabEvent, last: CollabEvent, run: TracedRun): SpanDraft {
  const ended = last.type === 'run.ended' ? last : null;
  const detail: TracedRunDetail = {
    kind: 'run',
    ...run,
    conversationId: first.conversation_id,
    outcome: ended?.outcome ?? null,
  };
  const failed = ended !== null && ended.status !== 'success';
  return {
    ...draftOf(first, detail),
    endedAt: ended === null ? null : microsOf(ended.ts),
    fault: failed ? ended.status : null,
  };
}

/** A call without an end ends with its step, if that has ended. */
function draftOfCall(call: AgentCall, runId: string, step: SpanDraft | null): SpanDraft {
  const { seq, agent, begunAt, endedAt, result } = call;
  const detail = { kind: 'call', call } as const;
  const isOver = endedAt !== null || (step !== null && step.endedAt !== null);
  return {
    id: spanId(runId, seq, detail),
    seq,
    step: call.step === '' ? undefined : call.step,
    agentId: agent.id,
    begunAt: microsOf(begunAt),
    endedAt: endedAt === null ? (step?.endedAt ?? null) : microsOf(endedAt),
    fault: result === 'ok' || !isOver ? null : result,
    detail,
  };
}

type Children = ReadonlyMap<SpanDraft, readonly SpanDraft[]>;

function childrenOf(drafts: readonly SpanDraft[], parentOf: (draft: SpanDraft) => SpanDraft): Children {
  const inOrder = drafts.toSorted((left, right) => left.begunAt - right.begunAt || left.seq - right.seq);
  return groupBy(inOrder, parentOf);
}

/** A span lasts at least as long as those below it: the first step of a phase is recorded before the phase. */
function spansFrom(root: SpanDraft, children: Children, end: number): readonly TraceSpan[] {
  return below(root, null);

  function below(draft: SpanDraft, parentId: string | null): readonly TraceSpan[] {
    const { id, begunAt, endedAt, fault, detail } = draft;
    const inside = (children.get(draft) ?? []).flatMap((child) => below(child, id));
    const span = {
      id,
      parentId,
      begunAt: inside.reduce((first, one) => Math.min(first, one.begunAt), begunAt),
      endedAt: inside.reduce((last, one) => Math.max(last, one.endedAt), endedAt ?? Math.max(end, begunAt)),
      isOpen: endedAt === null,
      fault,
      detail,
    };
    return [span, ...inside];
  }
}
