import type { CollabEvent } from '../../events/collab-event.ts';
import { createModerator } from './interleave.ts';
import type { Response } from './response.ts';
import { createSayings } from './responses-of-event.ts';
import { createSessionOpening } from './session-start.ts';
import { createSessionTotals, renderStatistics } from './session-totals.ts';
import { createSpeakers } from '../../events/speakers.ts';

export interface ResponseProjection {
  push(event: CollabEvent): readonly Response[];
  /** Returns the responses still due if the events stop without `run.ended`. */
  end(): readonly Response[];
}

/**
 * Projects `CollabEvent` to the stream of specification 000. No clock, no dependence on how the events arrive: one by one
 * or all at once, the same events give the same responses (XB-6). Omitted data is listed in requirements.md B.3.
 */
export function createResponseProjection(): ResponseProjection {
  const moderator = createModerator();
  const fold = createResponseFold();
  return {
    push: (event) => moderator.push(event).flatMap((next) => fold.push(next)),
    end: () => [...moderator.end().flatMap((next) => fold.push(next)), ...fold.end()],
  };
}

/** The projection without the order of agents that work in parallel. */
export function createResponseFold(): ResponseProjection {
  const speakers = createSpeakers();
  const totals = createSessionTotals();
  const opening = createSessionOpening();
  const sayings = createSayings();
  let startedAt: string | null = null;
  let endedAt: string | null = null;
  let closed = false;

  function project(event: CollabEvent): readonly Response[] {
    if (closed) return [];
    startedAt ??= event.ts;
    endedAt = event.ts;
    speakers.note(event);
    const speaker = speakers.of(event);
    const isMain = speaker === null;
    totals.add(event, isMain);
    const said = event.type === 'run.ended' ? [close(event.duration_ms)] : sayings.of(event, speaker);
    return [...opening.note(event, { isMain, saysSomething: said.length > 0 }), ...said];
  }

  function close(durationMs: number): Response {
    closed = true;
    const { nextContext, ...sums } = totals.current();
    return {
      type: 'result',
      content: renderStatistics(durationMs, sums),
      token: nextContext,
      content_type: 'text',
    };
  }

  return {
    push: project,
    end() {
      if (closed || startedAt === null || endedAt === null) return [];
      return [...opening.close(), close(Date.parse(endedAt) - Date.parse(startedAt))];
    },
  };
}
