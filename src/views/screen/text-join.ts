import type { CollabEvent } from '../../events/collab-event.ts';

/**
 * Joins pieces of one block unchanged (R000-10). Two blocks are two messages: an empty line separates them if there is
 * nothing else between them.
 */
export function createTextJoin() {
  /** Line endings at the end of the text so far; null if the screen shows no text before. */
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
    /** Returns the text that an event adds to the output so far; '' if it adds none. */
    add(event: CollabEvent): string {
      if (event.type !== 'text.delta' && event.type !== 'text.end') return '';
      const key = JSON.stringify([event.step, event.exchange_id, event.agent.id, event.block_id]);
      if (event.type === 'text.delta') return addPiece(key, event.text);
      const whole = begun.delete(key) ? '' : addPiece(key, event.text);
      begun.delete(key);
      return whole;
    },
    /** Adds `text` on a line of its own. */
    addLine(text: string): string {
      block = '';
      return append(`${text}\n`, 1);
    },
    /** Marks output other than text. */
    cut(): void {
      lineEnds = null;
      block = null;
    },
  };
}
