/** One model turn as events: every block that was started is also ended, however the turn ends. */
import type { EventBody, Usage } from '../events/collab-event.ts';
import type { ModelSign } from '../providers/contract/model.ts';

export interface TurnEventOptions {
  /** The prefix of block ids. */
  readonly prefix: string;
  /** True if the model has already called tools. */
  readonly followUp: boolean;
  readonly emit: (event: EventBody) => void;
}

export function createTurnEvents({ prefix, followUp, emit }: TurnEventOptions) {
  const texts = new Map<number, string>();
  const thoughts = new Set<number>();
  let place: 'before' | 'within' | 'after' = 'before';
  const idOf = (block: number): string => `${prefix}/${block}`;

  return {
    hear(sign: ModelSign): void {
      if (place === 'after' || sign.kind === 'alive') return;
      begin();
      switch (sign.kind) {
        case 'begun':
          return;
        case 'text':
          return addText(sign.block, sign.text);
        case 'text_end':
          return endText(sign.block);
        case 'thinking':
          thoughts.add(sign.block);
          return emit({ type: 'thinking.delta', block_id: idOf(sign.block), text: sign.text });
        case 'thinking_end':
          return endThought(sign.block, sign.redacted);
        case 'media':
          return emit({ type: 'media', kind: sign.media, mime_type: sign.mimeType, data: sign.data });
        case 'ui':
          return emit({ type: 'ui', component: sign.component });
      }
    },
    /** Emits the turn's last events; later calls emit nothing. */
    close(stopReason: string | null, usage: Usage | null): void {
      if (place === 'after') return;
      for (const block of texts.keys()) endText(block);
      for (const block of thoughts) endThought(block, false);
      if (usage !== null) emit({ type: 'usage', ...usage });
      if (place === 'within') emit({ type: 'turn.ended', stop_reason: stopReason, usage });
      place = 'after';
    },
  };

  function begin(): void {
    if (place === 'before') emit({ type: 'turn.started' });
    place = 'within';
  }

  function addText(block: number, text: string): void {
    const before = texts.get(block);
    if (before === undefined) emit({ type: 'text.start', block_id: idOf(block), follow_up: followUp });
    emit({ type: 'text.delta', block_id: idOf(block), text });
    texts.set(block, (before ?? '') + text);
  }

  function endText(block: number): void {
    const text = texts.get(block);
    if (text === undefined) return;
    texts.delete(block);
    emit({ type: 'text.end', block_id: idOf(block), text });
  }

  function endThought(block: number, redacted: boolean): void {
    const open = thoughts.delete(block);
    if (!open && !redacted) return;
    emit({ type: 'thinking.end', block_id: idOf(block), ...(redacted ? { redacted } : {}) });
  }
}
