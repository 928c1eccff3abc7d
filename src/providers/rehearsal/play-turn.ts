/** Plays one turn of the script as one call. */
import type { EventBody, Usage } from '../../events/collab-event.ts';
import type { HandedTools, TurnCall, TurnResult } from '../contract/contract.ts';
import { closingLineIn } from '../../tags/closing-line.ts';
import { reverseTags } from '../../tags/tags.ts';
import { faultResult } from './fault-result.ts';
import { makeEdit, type EditPlace } from './make-edits.ts';
import type { Pace } from './pace.ts';
import type { ScriptedMessage, ScriptedTurn } from './script.ts';
import type { SessionRecord, SessionStore } from './session-store.ts';
import { messageEvents, textEvents } from './show-messages.ts';

export interface Play {
  readonly turn: ScriptedTurn;
  readonly call: TurnCall;
  /** Folder of its edits; an advisor has none. */
  readonly place: EditPlace;
  /** The tools of scripted calls; null for none. */
  readonly tools: HandedTools | null;
  readonly sessionId: string;
  readonly sessions: SessionStore;
  readonly pace: Pace;
  readonly model: string;
}

export async function playTurn(play: Play): Promise<TurnResult> {
  const { turn, call, sessionId } = play;
  keep(play, { state: 'begun', text: null, usage: null });
  call.emit({ type: 'turn.started' });
  const limit = (await play.pace.wait(turn.delay_ms)) ?? (await act(play));
  if (limit !== null) return fail(play, timedOut(limit, sessionId));
  return turn.fault === undefined ? answer(play) : fail(play, await faultOf(play, turn.fault));
}

/** Plays everything before the answer. Returns the limit that ended it, or null. */
async function act(play: Play): Promise<'idle' | 'total' | null> {
  const { turn, call, place, pace } = play;
  const messages: readonly ScriptedMessage[] = [...turn.tools.map((tool) => ({ tool })), ...turn.messages];
  for (const [index, message] of messages.entries()) {
    const id = `${call.callId}/${index + 1}`;
    if ('call' in message) await useTool(play, { id, name: message.call.name, args: message.call.input });
    else await say(play, messageEvents(message, id, turn.delta_size));
  }
  for (const [index, edit] of turn.edits.entries()) {
    const limit = await pace.wait(turn.edit_delay_ms);
    if (limit !== null) return limit;
    await say(play, makeEdit(edit, place, `${call.callId}/edit-${index + 1}`));
  }
  return null;
}

async function useTool(
  { call, tools, pace }: Play,
  wanted: Parameters<HandedTools['call']>[0],
): Promise<void> {
  await tools?.call(wanted, call.signal);
  pace.said();
}

async function answer(play: Play): Promise<TurnResult> {
  const { turn, call, sessionId } = play;
  const text = closed(turn, call.prompt);
  const usage = usageOf(play);
  if (turn.stream) await say(play, textEvents(`${call.callId}/answer`, text, turn.delta_size));
  if (usage !== null) await say(play, [{ type: 'usage', ...usage }]);
  await say(play, [{ type: 'turn.ended', stop_reason: turn.stop_reason, usage }]);
  keep(play, { state: 'answered', text, usage });
  return { kind: 'answered', text, sessionId, usage, stopReason: turn.stop_reason };
}

/** Adds the closing line, like a model that has read the whole prompt. An answer with a reverse request has none. */
function closed({ answer: text = '', closing }: ScriptedTurn, prompt: string): string {
  const line = closingLineIn(prompt);
  const asksBack = reverseTags.some((tag) => text.includes(tag));
  if (!closing || line === null || asksBack) return text;
  return `${text.trimEnd()}\n\n${line}\n`;
}

async function faultOf(
  { turn, sessionId, pace }: Play,
  fault: NonNullable<ScriptedTurn['fault']>,
): Promise<TurnResult> {
  if (fault !== 'never') return faultResult(fault, turn, sessionId);
  const limit = await pace.wait(Number.POSITIVE_INFINITY);
  return timedOut(limit ?? 'total', sessionId);
}

function timedOut(limit: 'idle' | 'total', sessionId: string): TurnResult {
  const message = limit === 'idle' ? 'no event within the idle limit' : 'the total limit has passed';
  return { kind: 'timed_out', limit, message, sessionId };
}

async function fail(play: Play, result: TurnResult): Promise<TurnResult> {
  keep(play, { state: 'failed', text: null, usage: null });
  await say(play, [{ type: 'turn.ended', stop_reason: result.kind, usage: null }]);
  return result;
}

function keep(
  { sessions, sessionId, call, turn }: Play,
  record: Pick<SessionRecord, 'state' | 'text' | 'usage'>,
): void {
  sessions.write(sessionId, { call_id: call.callId, harvest: turn.harvest ?? null, ...record });
}

async function say({ call, pace }: Play, events: readonly EventBody[]): Promise<void> {
  for (const event of events) {
    call.emit(event);
    if (pace.said()) await pace.turn();
  }
}

function usageOf({ turn: { usage }, model }: Play): Usage | null {
  if (usage === undefined) return null;
  return {
    model,
    input: usage.input,
    output: usage.output,
    cache_read: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    cost: usage.cost ?? null,
    cost_basis: usage.cost === undefined ? 'unknown' : 'reported',
  };
}
