import type { CollabEvent, CollabEventOf, ErrorKind } from '../../events/collab-event.ts';
import { isRecoverable, streamingErrorType } from './errors.ts';
import type { ErrorEventData, ErrorType } from './event.ts';
import type { StreamingWords } from './phrases.ts';

export type StreamingFault = Omit<ErrorEventData, 'seq' | 'timestamp'>;

type Heard = CollabEventOf<'error'>;

/** Errors that an agent recovered from are not the run's: it started another turn, or its exchange got an answer. */
export function createStreamingFaults(words: Pick<StreamingWords, 'fault'>) {
  const heard = new Map<string, Heard>();

  return {
    note(event: CollabEvent): void {
      const speaker = `${event.agent.id} ${event.exchange_id ?? ''}`;
      if (event.type === 'turn.started' || event.type === 'exchange.received') heard.delete(speaker);
      if (event.type !== 'error' || event.kind === 'cancelled' || event.repeat_in_ms !== undefined) return;
      heard.delete(speaker);
      heard.set(speaker, event);
    },
    /** Returns the reason of a failed run as one error (X002-8). */
    of({
      errors,
      kind,
    }: {
      readonly errors: readonly string[];
      readonly kind?: ErrorKind | undefined;
    }): StreamingFault {
      if (kind !== undefined) return faultOf(kind, errors.join('\n'));
      const open = [...heard.values()];
      const cause = open.findLast(({ message }) => errors.includes(message)) ?? open.at(-1);
      if (cause === undefined) return faultOf('protocol', errors.join('\n') || 'the run failed');
      return { ...faultOf(cause.kind, errors.join('\n') || cause.message), ...extensionOf(cause) };
    },
  };

  function faultOf(kind: ErrorKind, message: string): StreamingFault {
    const type = streamingErrorType(kind) ?? 'execution_error';
    return { error_type: type, message: words.fault(kind, message), recoverable: isRecoverable(type) };
  }
}

/** Adds facts that the nine names cannot express (X002-15). */
function extensionOf({
  kind,
  cause,
  retry_after_ms,
}: Heard): Pick<ErrorEventData, 'cause' | 'retry_after_ms'> {
  return {
    ...(streamingErrorType(kind) === 'execution_error' ? { cause: cause ?? kind } : {}),
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
  };
}

/** Returns true if a run with this failure before its session never opened (X002-7, X002-8). */
export function refuses(type: ErrorType): boolean {
  return refusals.has(type);
}

const refusals: ReadonlySet<ErrorType> = new Set([
  'conversation_locked',
  'sdk_not_installed',
  'model_validation_error',
  'options_error',
  'context_limit_exceeded',
  'background_task_error',
]);
