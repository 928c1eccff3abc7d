import type { CollabEvent } from '../../events/collab-event.ts';
import { projectToStreaming, type StreamingOptions } from '../../views/stream/projection.ts';
import type { ConversationContext, ServedRun } from './conversations.ts';

export interface ToldOfRun {
  readonly title: string | null;
  /** False if the context is full. */
  readonly canContinue: boolean;
  /** The context; null if the run did not report it. */
  readonly context: ConversationContext | null;
}

/** Collects what a finished run's stream reported about its conversation, so that a page opened later shows the same. */
export function toldOf(
  events: readonly CollabEvent[],
  kind: ServedRun['kind'],
  projection: StreamingOptions,
): ToldOfRun {
  const titled = events.find(({ type }) => type === 'title');
  const title = titled?.type === 'title' ? titled.title : null;
  // Other kinds of run have contexts of their own.
  if (kind !== 'turn') return { title, canContinue: true, context: null };
  const last = projectToStreaming(events.filter(concernsTheEnd), projection).at(-2);
  if (last?.event === 'error') {
    return { title, canContinue: last.data.error_type !== 'context_limit_exceeded', context: null };
  }
  if (last?.event !== 'context_status') return { title, canContinue: true, context: null };
  const { can_continue: canContinue, usage_percent, warning_level } = last.data;
  return { title, canContinue, context: { usage_percent, warning_level } };
}

/** A turn has thousands of texts and tool events, and none of them decides how it ended. */
function concernsTheEnd({ type }: CollabEvent): boolean {
  return !/^(?:text|thinking|tool)\.|^raw$/.test(type);
}
