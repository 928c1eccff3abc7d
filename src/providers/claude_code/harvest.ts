/** What became of a call whose record was lost, read from the session's transcript (DESIGN §5). */
import type { Harvest } from '../contract/contract.ts';
import { callOf, isTryOf } from './call-line.ts';
import type { Entry, Transcript } from './transcript.ts';

/**
 * A finished turn is the answer, even an empty one: it was paid for. A session without a transcript, or whose last prompt
 * belongs to an earlier call, does not hold this one: a request to go on with it would make no sense there, so it counts as
 * never sent. (Claude Code writes a moment late; killed in that moment, a prompt that was sent is not in the transcript.)
 */
export function readHarvest(transcript: Transcript | null, callId: string): Harvest {
  const entries = transcript?.entries ?? [];
  const asked = entries.findLastIndex((entry) => entry.from === 'user' && callOf(entry.text ?? '') !== null);
  const prompt = entries[asked];
  if (prompt?.from !== 'user' || !isTryOf(callOf(prompt.text ?? '') ?? '', callId))
    return { kind: 'not_sent' };
  const text = finalText(entries.slice(asked + 1));
  return text === null ? { kind: 'interrupted' } : { kind: 'answered', text, usage: null };
}

/** Null where the last message is none of the model's, or goes on with a tool. */
function finalText(entries: readonly Entry[]): string | null {
  const last = entries.at(-1);
  if (last?.from !== 'assistant' || last.synthetic || !finalStops.has(last.stopReason ?? '')) return null;
  return entries
    .map((entry) => (entry.from === 'assistant' && entry.messageId === last.messageId ? entry.text : ''))
    .join('');
}

const finalStops = new Set(['end_turn', 'stop_sequence', 'pause_turn']);
