import type { CollabEvent } from '../../events/collab-event.ts';
import { projectToStreaming, type StreamingOptions } from '../../views/stream/projection.ts';
import type { ConversationContext, ServedRun } from './conversations.ts';

export interface ToldOfRun {
  readonly title: string | null;
  /** False where the context is full. */
  readonly canContinue: boolean;
  /** Null where the run told nothing of it. */
  readonly context: ConversationContext | null;
}

/** What the stream of a run that has ended told of its conversation: a page that comes later is told the same. */
export function toldOf(
  events: readonly CollabEvent[],
  kind: ServedRun['kind'],
  projection: StreamingOptions,
): ToldOfRun {
  const titled = events.find(({ type }) => type === 'title');
  const title = titled?.type === 'title' ? titled.title : null;
  // The contexts of other runs are their own.
  if (kind !== 'turn') return { title, canContinue: true, context: null };
  const last = projectToStreaming(events, projection).at(-2);
  if (last?.event === 'error') {
    return { title, canContinue: last.data.error_type !== 'context_limit_exceeded', context: null };
  }
  if (last?.event !== 'context_status') return { title, canContinue: true, context: null };
  const { can_continue: canContinue, usage_percent, warning_level } = last.data;
  return { title, canContinue, context: { usage_percent, warning_level } };
}
