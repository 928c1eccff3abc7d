/** Tracks the agents and tools that are at work. */
import type { CollabEvent } from '../../../src/client/run-events.ts';
import type { Activity, SpeakerState } from '../run-state.ts';
import { createKeyedList } from './keyed-list.ts';

export interface ActivityFold {
  readonly take: (event: CollabEvent, speaker: SpeakerState) => void;
  readonly current: () => readonly Activity[];
}

export function createActivityFold(): ActivityFold {
  const activities = createKeyedList<Activity>(({ key }) => key);

  function set(
    event: CollabEvent,
    speaker: SpeakerState,
    doing: Activity['doing'],
    tool: string | null = null,
  ): void {
    const { exchange_id: exchangeId = null, step = null } = event;
    const key = JSON.stringify([speaker.id, exchangeId, step]);
    const before = activities.get(key);
    if (before?.doing === doing && before.tool === tool) return;
    activities.put(key, { key, speaker, exchangeId, step, doing, tool });
  }

  return {
    current: activities.current,
    take(event, speaker) {
      switch (event.type) {
        case 'turn.started':
        case 'tool.result':
          return set(event, speaker, 'waiting');
        case 'thinking.delta':
          return set(event, speaker, 'thinking');
        case 'text.start':
        case 'text.delta':
          return set(event, speaker, 'generating');
        case 'tool.call':
          return set(
            event,
            speaker,
            'tool',
            event.summary === '' ? event.display_name : `${event.display_name}: ${event.summary}`,
          );
        case 'state':
          return set(event, speaker, event.state);
        case 'turn.ended':
          return activities.drop((now) => now.speaker.id === speaker.id && now.step === (event.step ?? null));
        case 'exchange.ended':
          return activities.drop(({ exchangeId }) => exchangeId === event.exchange_id);
        case 'step.ended':
        case 'step.abandoned':
          return activities.drop(({ step }) => step === event.step);
        case 'run.ended':
          return activities.drop(() => true);
        default:
          return undefined;
      }
    },
  };
}
