import type { CollabEvent } from '../events/collab-event.ts';
import { createStreamingTexts } from './streaming-texts.ts';

export interface FinalText {
  /** Takes the events of the main agent. */
  note(event: CollabEvent): void;
  current(): string | null;
}

/** What the main agent said after its last tool result (X002-32); an empty line stands between two blocks. */
export function createFinalText(): FinalText {
  const texts = createStreamingTexts();
  let blocks: { readonly id: string; readonly step: string | undefined; text: string }[] = [];

  function append(id: string, step: string | undefined, text: string): void {
    const last = blocks.at(-1);
    if (text === '') return;
    if (last?.id === id && last.step === step) last.text += text;
    else blocks.push({ id, step, text });
  }

  return {
    note(event) {
      if (event.type === 'tool.result') blocks = [];
      if (event.type === 'text.delta' || event.type === 'text.end') {
        append(event.block_id, event.step, texts.add(event));
      }
      if (event.type !== 'step.abandoned') return;
      texts.abandon(event.step);
      blocks = blocks.filter(({ step }) => step !== event.step);
    },
    current: () => (blocks.length === 0 ? null : blocks.map(({ text }) => text).join('\n\n')),
  };
}
