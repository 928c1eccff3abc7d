/** Turns the text and thinking of one turn into events: streamed in pieces, then repeated as a whole without duplicates. */
import type { EventBody } from '../../events/collab-event.ts';

export type BlockKind = 'text' | 'thinking';

export interface WholeBlock {
  readonly kind: BlockKind;
  readonly text: string;
  readonly signature?: string | undefined;
  readonly redacted?: boolean;
}

interface OpenBlock {
  readonly kind: BlockKind;
  text: string;
}

export function createBlockEvents(emit: (event: EventBody) => void) {
  const open = new Map<string, OpenBlock>();
  /** How many blocks of each content have ended their stream, while their whole text has not arrived yet. */
  const ended = new Map<string, number>();
  let spoke = false;
  let wholes = 0;

  function begin(key: string, kind: BlockKind): OpenBlock {
    const known = open.get(key);
    if (known !== undefined) return known;
    const block: OpenBlock = { kind, text: '' };
    open.set(key, block);
    if (kind === 'text') {
      emit({ type: 'text.start', block_id: key, follow_up: spoke });
      spoke = true;
    }
    return block;
  }

  function add(key: string, piece: string): void {
    const block = open.get(key);
    if (block === undefined || piece === '') return;
    block.text += piece;
    emit({ type: `${block.kind}.delta`, block_id: key, text: piece });
  }

  function finish(key: string, details: Pick<WholeBlock, 'signature' | 'redacted'> = {}): OpenBlock | null {
    const block = open.get(key);
    if (block === undefined) return null;
    open.delete(key);
    if (block.kind === 'text') emit({ type: 'text.end', block_id: key, text: block.text });
    else emit({ type: 'thinking.end', block_id: key, ...defined(details) });
    return block;
  }

  return {
    /** Opens a streamed block; an open block with this key continues. */
    open: (key: string, kind: BlockKind): void => void begin(key, kind),
    add,
    /** Ends a streamed block; does nothing if it has already ended. */
    close(key: string): void {
      const block = finish(key);
      if (block === null) return;
      const content = contentOf(key.slice(0, key.lastIndexOf('/')), block);
      ended.set(content, (ended.get(content) ?? 0) + 1);
    },
    /** Takes the whole block from the message line and emits only what was not streamed. */
    whole(messageId: string, block: WholeBlock): void {
      const content = contentOf(messageId, block);
      const said = ended.get(content) ?? 0;
      if (said > 0) {
        ended.set(content, said - 1);
        return;
      }
      const streamed = [...open].find(
        ([key, { kind, text }]) => isOf(key, messageId) && kind === block.kind && block.text.startsWith(text),
      );
      const key = streamed?.[0] ?? `${messageId}/whole-${(wholes += 1)}`;
      const { text } = begin(key, block.kind);
      add(key, block.text.slice(text.length));
      finish(key, block);
    },
    /** Ends all open blocks. */
    end(): void {
      for (const key of open.keys()) finish(key);
    },
  };
}

function contentOf(messageId: string, { kind, text }: OpenBlock): string {
  return `${messageId}/${kind}/${text}`;
}

function isOf(key: string, messageId: string): boolean {
  return key.startsWith(`${messageId}/`);
}

function defined({ signature, redacted }: Pick<WholeBlock, 'signature' | 'redacted'>) {
  return {
    ...(signature !== undefined && signature !== '' && { signature }),
    ...(redacted === true && { redacted }),
  };
}
