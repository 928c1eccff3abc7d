import type { CollabEvent } from '../../events/collab-event.ts';

export interface TextJoin {
  /** The text that an event adds to what was said so far; '' where it adds none. */
  add(event: CollabEvent): string;
  /** `text` on a line of its own. */
  addLine(text: string): string;
  /** Something other than text was said. */
  cut(): void;
}

/**
 * Pieces of one block go out as they are (R000-10). Two blocks are two messages: where nothing stands between them,
 * an empty line does.
 */
export function createTextJoin(): TextJoin {
  /** Line ends that close the text said so far; null where the screen shows no text before. */
  let lineEnds: number | null = null;
  let block: string | null = null;
  const begun = new Set<string>();

  function append(text: string, wantedLineEnds: number): string {
    if (text === '') return '';
    const joined = '\n'.repeat(lineEnds === null ? 0 : Math.max(0, wantedLineEnds - lineEnds)) + text;
    const own = joined.length - joined.replace(/\n+$/, '').length;
    lineEnds = own === joined.length ? (lineEnds ?? 0) + own : own;
    return joined;
  }

  function addPiece(key: string, text: string): string {
    const follows = block === null || block === key ? 0 : 2;
    if (text === '') return '';
    block = key;
    begun.add(key);
    return append(text, follows);
  }

  return {
    add(event) {
      if (event.type !== 'text.delta' && event.type !== 'text.end') return '';
      const key = JSON.stringify([event.step, event.exchange_id, event.agent.id, event.block_id]);
      if (event.type === 'text.delta') return addPiece(key, event.text);
      const whole = begun.delete(key) ? '' : addPiece(key, event.text);
      begun.delete(key);
      return whole;
    },
    addLine(text) {
      block = '';
      return append(`${text}\n`, 1);
    },
    cut() {
      lineEnds = null;
      block = null;
    },
  };
}
