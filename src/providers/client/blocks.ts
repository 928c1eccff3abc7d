import type { ModelSign } from '../contract/model.ts';

/** Groups consecutive text, and consecutive thoughts, into one block each. */
export function createBlocks(say: (sign: ModelSign) => void) {
  let block = -1;
  let kind: 'text' | 'thinking' | null = null;
  const end = (): void => {
    if (kind === 'text') say({ kind: 'text_end', block });
    if (kind === 'thinking') say({ kind: 'thinking_end', block, redacted: false });
    kind = null;
  };
  return {
    say(next: 'text' | 'thinking', text: string): void {
      if (text === '') return say({ kind: 'alive' });
      if (kind !== next) {
        end();
        block += 1;
        kind = next;
      }
      say({ kind: next, block, text });
    },
    end,
  };
}
