import type { CollabEvent, CollabEventOf } from '../../events/collab-event.ts';
import { previewCharacters } from '../../text/preview.ts';
import { createStreamingOpenings } from './open-agents-and-tools.ts';
import { spokenUnder, type Saying, type SpeakerId } from './pending-event.ts';
import { createStreamingSpeakers, exchangeAgent } from './speakers.ts';
import { createStreamingTexts } from './texts.ts';
import type { StreamingWords } from './phrases.ts';

export interface SpokenEvents {
  readonly speaker: SpeakerId;
  readonly sayings: readonly Saying[];
}

/** Creates the events between `init` and `title` (requirements B.3). */
export function createStreamingSayings(words: StreamingWords) {
  const speakers = createStreamingSpeakers();
  const openings = createStreamingOpenings(words);
  const texts = createStreamingTexts();
  const answers = new Map<string, string>();
  /** The last announced state of each agent (X002-19). */
  const states = new Map<SpeakerId, State>();

  function announce(state: State, speaker: SpeakerId, message = words[state]): readonly Saying[] {
    if (states.get(speaker) === state && message === words[state]) return [];
    states.set(speaker, state);
    return [
      (base) => ({ event: 'progress', data: { ...base, type: state, message, ...spokenUnder(speaker) } }),
    ];
  }

  function text(content: string, speaker: SpeakerId): readonly Saying[] {
    if (content === '') return [];
    if (speaker !== undefined) note(content, speaker);
    return [
      ...announce('generating', speaker),
      (base) => ({
        event: 'assistant',
        data: { ...base, content_blocks: [{ type: 'text', text: content }], ...spokenUnder(speaker) },
      }),
    ];
  }

  /** Keeps no more than is shown. */
  function note(content: string, speaker: string): void {
    const before = answers.get(speaker) ?? '';
    if (before.length <= previewCharacters) answers.set(speaker, `${before}${content}`);
  }

  function thought(content: string, speaker: SpeakerId): readonly Saying[] {
    if (content === '') return [];
    return [
      ...announce('thinking', speaker),
      (base) => ({ event: 'thinking', data: { ...base, content, ...spokenUnder(speaker) } }),
    ];
  }

  function sent(event: CollabEventOf<'exchange.sent'>, speaker: SpeakerId): readonly Saying[] {
    if (speaker === undefined) return [];
    answers.delete(speaker);
    // The exchange outlives the step that asks: a lost attempt is repeated.
    const within = { speaker: undefined, step: undefined };
    return [...openings.start(exchangeAgent(event, speaker), within), ...announce('thinking', speaker)];
  }

  function settled({ exchange_id: id, outcome }: CollabEventOf<'exchange.ended'>): readonly Saying[] {
    if (id === undefined) return [];
    return openings.finish(id, {
      status: outcome === 'settled' ? 'completed' : 'error',
      text: answers.get(id),
    });
  }

  function say(event: CollabEvent, speaker: SpeakerId): readonly Saying[] {
    switch (event.type) {
      case 'text.delta':
      case 'text.end':
        return text(texts.add(event), speaker);
      case 'thinking.delta':
        return thought(event.text, speaker);
      case 'state':
        return event.state === 'waiting' ? [] : announce(event.state, speaker);
      case 'tool.call':
        return openings.call(event, speaker);
      case 'tool.status':
        return event.status === 'running' ? openings.run(event.call_id) : [];
      case 'tool.result':
        return openings.answer(event);
      case 'agent.started':
        return openings.start(event, { speaker, step: event.step });
      case 'agent.ended':
        return openings.finish(event.agent_id, { status: event.status, text: event.preview });
      case 'exchange.sent':
        return sent(event, speaker);
      case 'exchange.rejected':
        return asksAgain.has(event.action) ? announce('thinking', speaker, words.again) : [];
      case 'exchange.ended':
        return settled(event);
      case 'error':
        if (event.repeat_in_ms === undefined) return [];
        return announce('thinking', speaker, words.repeat(event.kind, event.repeat_in_ms));
      case 'step.abandoned':
        texts.abandon(event.step);
        return openings.abandon(event.step);
      default:
        return [];
    }
  }

  return {
    of(event: CollabEvent): SpokenEvents {
      const speaker = speakers.of(event);
      const sayings = say(event, speaker);
      const stranger = sayings.length === 0 ? null : speakers.introduce(event, speaker);
      if (stranger === null) return { speaker, sayings };
      return {
        speaker,
        sayings: [...openings.start(stranger, { speaker: undefined, step: undefined }), ...sayings],
      };
    },
    /** Returns the ends of all open tools and agents. */
    close: (): readonly Saying[] => openings.closeAll(),
  };
}

type State = 'thinking' | 'generating';

const asksAgain: ReadonlySet<string> = new Set([
  'repairing',
  'completing',
  'recontextualising',
  'shortening',
]);
