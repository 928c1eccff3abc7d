import type { CollabEvent, CollabEventOf } from '../../events/collab-event.ts';
import { createSessionOpening } from '../screen/session-start.ts';
import { createStreamingEnd, type RunEnding } from './end.ts';
import type { StreamingEvent } from './event.ts';
import type { Saying, SpeakerId } from './pending-event.ts';
import { createStreamingSayings } from './events-between.ts';
import { streamingWords, type StreamingLanguage } from './phrases.ts';

/** A refusal that no event records. */
export type UntoldEnd = Pick<RunEnding, 'errors' | 'kind'>;

export interface StreamingOptions {
  /** The language of messages and summaries; default `ja`, as in the specification. */
  readonly language?: StreamingLanguage;
  /** Returns a model's display name (X002-21); its id if there is none. */
  readonly modelName?: (model: string, provider: string) => string;
  /** Returns the size of a model's context (X002-4); null if it is unknown. */
  readonly contextLength?: (model: string) => number | null;
}

/**
 * Projects `CollabEvent` to the stream of specification 002, except pings: those belong to a connection. The numbers are
 * the stream's own, the timestamps those of the events. No clock: one by one or all at once, the same events give the
 * same stream (XB-6).
 */
export function createStreamingProjection(options: StreamingOptions = {}) {
  const words = streamingWords(options.language ?? 'ja');
  const sayings = createStreamingSayings(words);
  const opening = createSessionOpening({ awaitsModel: true });
  const end = createStreamingEnd({ words, contextLength: options.contextLength ?? (() => null) });
  const modelName = options.modelName ?? ((model: string) => model);
  let first: CollabEvent | null = null;
  let last: CollabEvent | null = null;
  let tools: string[] = [];
  let sessionId: string | null = null;
  let titled = false;
  let closed = false;
  let seq = 0;

  function project(event: CollabEvent): readonly StreamingEvent[] {
    first ??= event;
    last = event;
    if (event.type === 'run.started') tools = event.tools;
    const { speaker, sayings: said } = sayings.of(event);
    end.note(event, speaker);
    if (event.type === 'run.ended') return close(event, event);
    const all = event.type === 'title' ? title(event) : said;
    return number([...open(event, speaker, all.length > 0), ...all], event.ts);
  }

  function open(event: CollabEvent, speaker: SpeakerId, saysSomething: boolean): readonly Saying[] {
    const isMain = speaker === undefined;
    const { provider } = (isMain ? event : (first ?? event)).agent;
    return opening.note(event, { isMain, saysSomething }).map(({ content, model, session_id }) => {
      const id = session_id ?? event.run_id;
      sessionId = id;
      return (base) => ({
        event: 'init',
        data: {
          ...base,
          session_id: id,
          tools,
          model: model === undefined ? content : modelName(model, provider),
          conversation_id: event.conversation_id,
        },
      });
    });
  }

  function title({ title: text }: CollabEventOf<'title'>): readonly Saying[] {
    if (titled || text === '') return [];
    titled = true;
    return [(base) => ({ event: 'title', data: { ...base, title: text } })];
  }

  function close(event: CollabEvent, ending: RunEnding): readonly StreamingEvent[] {
    closed = true;
    const before = sessionId !== null || end.isRefused(ending) ? [] : open(event, undefined, true);
    return number([...before, ...sayings.close(), ...end.sayings(ending, sessionId)], event.ts);
  }

  function number(said: readonly Saying[], timestamp: string): readonly StreamingEvent[] {
    return said.map((saying) => saying({ seq: ++seq, timestamp }));
  }

  return {
    push: (event: CollabEvent): readonly StreamingEvent[] => (closed ? [] : project(event)),
    /**
     * Ends a run whose events stop without `run.ended`; without a reason it was lost, or could not be started (X002-14).
     */
    end(why: UntoldEnd = lost): readonly StreamingEvent[] {
      if (closed || first === null || last === null) return [];
      const durationMs = Date.parse(last.ts) - Date.parse(first.ts);
      return close(last, { status: 'error', result: null, duration_ms: durationMs, ...why });
    },
  };
}

const lost: UntoldEnd = { errors: ['the run stopped without an end'], kind: 'orphaned' };

/** Returns all events of a whole run. */
export function projectToStreaming(
  events: Iterable<CollabEvent>,
  options?: StreamingOptions,
): readonly StreamingEvent[] {
  const projection = createStreamingProjection(options);
  const projected: StreamingEvent[] = [];
  for (const event of events) projected.push(...projection.push(event));
  return [...projected, ...projection.end()];
}
