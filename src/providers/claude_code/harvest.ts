/** Finds out from the session's transcript how a call ended whose record was lost. */
import type { Harvest } from '../contract/contract.ts';
import { callOf, isTryOf } from './call-line.ts';
import type { ClaudeTranscriptEntry, Transcript } from './transcript.ts';

/**
 * Reads the outcome of a call. A finished turn is the answer, even if it is empty: it was paid for. A session without a
 * transcript, or whose last prompt belongs to an earlier call, does not contain this one and cannot continue it, so the call
 * counts as never sent. (Claude Code writes a moment late: if it is killed in that moment, a sent prompt is missing from the
 * transcript.)
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

/** Returns null if the last message is not from the model, or continues with a tool call. */
function finalText(entries: readonly ClaudeTranscriptEntry[]): string | null {
  const last = entries.at(-1);
  if (last?.from !== 'assistant' || last.synthetic || !finalStops.has(last.stopReason ?? '')) return null;
  return entries
    .map((entry) => (entry.from === 'assistant' && entry.messageId === last.messageId ? entry.text : ''))
    .join('');
}

const finalStops = new Set(['end_turn', 'stop_sequence', 'pause_turn']);
