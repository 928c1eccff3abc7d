import type { CollabEvent } from '../../events/collab-event.ts';
import { createGrowingText, type GrowingText } from '../screen/growing-text.ts';
import { createStreamingTexts } from './texts.ts';

interface Block {
  readonly id: string;
  readonly step: string | undefined;
  readonly said: GrowingText;
}

/** Collects the main agent's text after its last tool result (X002-32); an empty line separates two blocks. */
export function createFinalText() {
  const texts = createStreamingTexts();
  let blocks: readonly Block[] = [];

  function append(id: string, step: string | undefined, text: string): void {
    if (text === '') return;
    const last = blocks.at(-1);
    const block = last?.id === id && last.step === step ? last : { id, step, said: createGrowingText() };
    if (block !== last) blocks = [...blocks, block];
    block.said.add(text);
  }

  return {
    /** Receives the events of the main agent. */
    note(event: CollabEvent): void {
      if (event.type === 'tool.result') blocks = [];
      if (event.type === 'text.delta' || event.type === 'text.end') {
        append(event.block_id, event.step, texts.add(event));
      }
      if (event.type !== 'step.abandoned') return;
      texts.abandon(event.step);
      blocks = blocks.filter(({ step }) => step !== event.step);
    },
    current: (): string | null =>
      blocks.length === 0 ? null : blocks.map(({ said }) => said.text()).join('\n\n'),
  };
}
