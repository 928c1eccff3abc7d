import type { CollabEvent } from '../../events/collab-event.ts';
import type { InitResponse } from './response.ts';
import { agentName } from '../../events/speakers.ts';

export interface SessionOpeningOptions {
  /** True to hold a known id back until the model begins to answer: a refusal before that opens no session (X002-8). */
  readonly awaitsModel?: boolean;
}

/** Holds the Init back until the session's id is known, at most until the first output. */
export function createSessionOpening({ awaitsModel = false }: SessionOpeningOptions = {}) {
  let init: InitResponse | null = null;
  let said = false;

  function release(facts: Partial<Pick<InitResponse, 'session_id' | 'model'>> = {}): readonly InitResponse[] {
    if (init === null || said) return [];
    said = true;
    return [{ ...facts, ...init }];
  }

  return {
    /** Returns the Init, once, when it is due: before the output of `event`. */
    note(
      event: CollabEvent,
      { isMain, saysSomething }: { isMain: boolean; saysSomething: boolean },
    ): readonly InitResponse[] {
      init ??= initOf(event);
      const isAnswering = isMain && event.type === 'turn.started';
      if (init.session_id !== undefined && (!awaitsModel || isAnswering)) return release();
      const model = isMain && event.agent.model !== undefined ? { model: event.agent.model } : {};
      if (isMain && event.type === 'session.bound') {
        return release({ ...model, session_id: event.provider_session_id });
      }
      if (isMain && event.type === 'step.bound') return release({ ...model, session_id: event.session_id });
      return saysSomething ? release(model) : [];
    },
    /** Returns the Init if it was never due. */
    close: (): readonly InitResponse[] => release(),
  };
}

/** A stream that does not begin with `run.started` still opens, with the data of its first event. */
function initOf(event: CollabEvent): InitResponse {
  const started = event.type === 'run.started' ? event : null;
  const model = started?.model ?? event.agent.model;
  return {
    type: 'init',
    content: agentName(started?.name ?? event.agent.provider),
    ...(started?.session_id === undefined ? {} : { session_id: started.session_id }),
    ...(model === undefined ? {} : { model }),
    content_type: 'text',
  };
}
