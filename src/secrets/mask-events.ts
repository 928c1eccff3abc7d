/**
 * Checks and masks an agent's events in their order: streams by whole lines, everything else text by text. After this, the
 * events of a run are not parsed until another process reads its journal.
 */
import { eventBodySchema, type EventBody } from '../events/collab-event.ts';
import { createLineMasker, type LineMasker } from './line-masker.ts';
import { maskSecrets } from './mask-secrets.ts';

export interface MaskedEvents {
  readonly emit: (event: EventBody) => void;
  /** Passes on unfinished lines. Throws the ZodError of an invalid event, or what the receiver of an earlier event threw. */
  readonly finish: () => void;
}

export function maskEvents(emit: (event: EventBody) => void): MaskedEvents {
  const streams = new Map<string, OpenStream>();
  let fault: { readonly error: unknown } | null = null;
  return {
    emit: (event) => {
      if (fault !== null) return;
      try {
        maskEvent(eventBodySchema.parse(event), streams).forEach(emit);
      } catch (error) {
        // The agent that calls this is not at fault; `finish` reports the error.
        fault = { error };
      }
    },
    finish() {
      if (fault !== null) throw fault.error;
      endAll(streams).forEach(emit);
    },
  };
}

interface OpenStream {
  readonly masker: LineMasker;
  /** Builds the event that carries a piece of this stream. */
  readonly piece: (text: string) => EventBody;
}

function maskEvent(event: EventBody, streams: Map<string, OpenStream>): readonly EventBody[] {
  switch (event.type) {
    case 'text.delta':
    case 'thinking.delta':
      return pushPiece(`block ${event.block_id}`, event.text, (text) => ({ ...event, text }), streams);
    case 'tool.input':
      return pushPiece(`input ${event.call_id}`, event.delta, (delta) => ({ ...event, delta }), streams);
    case 'tool.call':
      return [...endStream(`input ${event.call_id}`, streams), maskTexts(event)];
    case 'tool.output':
      return pushPiece(`call ${event.call_id}`, event.chunk, (chunk) => ({ ...event, chunk }), streams);
    case 'text.end':
    case 'thinking.end':
      return [...endStream(`block ${event.block_id}`, streams), maskTexts(event)];
    case 'tool.result':
      return [...endStream(`call ${event.call_id}`, streams), maskTexts(event)];
    case 'turn.ended':
      return [...endAll(streams), maskTexts(event)];
    default:
      return [maskTexts(event)];
  }
}

function pushPiece(
  id: string,
  text: string,
  piece: OpenStream['piece'],
  streams: Map<string, OpenStream>,
): readonly EventBody[] {
  const stream = streams.get(id) ?? { masker: createLineMasker(), piece };
  streams.set(id, stream);
  const lines = stream.masker.push(text);
  return lines === '' ? [] : [piece(lines)];
}

function endStream(id: string, streams: Map<string, OpenStream>): readonly EventBody[] {
  const stream = streams.get(id);
  streams.delete(id);
  const rest = stream?.masker.flush() ?? '';
  return stream === undefined || rest === '' ? [] : [stream.piece(rest)];
}

/** Ends the streams that an interrupted turn left open. */
function endAll(streams: Map<string, OpenStream>): readonly EventBody[] {
  return [...streams.keys()].flatMap((id) => endStream(id, streams));
}

function maskTexts(event: EventBody): EventBody {
  const masked = maskEntries(event, names);
  if (masked.type !== 'tool.call' || event.type !== 'tool.call') return masked;
  return { ...masked, summary: repeatMasks(masked.summary, event.args, masked.args) };
}

/** A summary has the values of the call without the keys that mark them as secret. */
function repeatMasks(summary: string, args: unknown, maskedArgs: unknown): string {
  const before = textsIn(args);
  const after = textsIn(maskedArgs);
  return before.reduce(
    (text, value, index) => (value === '' ? text : text.replaceAll(value, () => after[index] ?? '')),
    summary,
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Identifiers that link events stay unchanged. */
const names: ReadonlySet<string> = new Set(['type', 'block_id', 'call_id', 'agent_id']);

/** Masks every text of a value and every key in it, at any depth. */
export function maskValue<Value>(value: Value): Value;
export function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value).text;
  if (Array.isArray(value)) return value.map((inner) => maskValue(inner));
  return typeof value === 'object' && value !== null ? maskEntries(value) : value;
}

function maskEntries<Value extends object>(value: Value, kept?: ReadonlySet<string>): Value;
function maskEntries(value: object, kept: ReadonlySet<string> = new Set()): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      kept.has(key) ? [key, inner] : [maskSecrets(key).text, maskNamed(key, inner)],
    ),
  );
}

/** A key can mark its text as secret: it is searched as an assignment, as in the file that the value is written to. */
function maskNamed(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return maskValue(value);
  const before = `"${key}": "`;
  const { text } = maskSecrets(`${before}${maskSecrets(value).text}"`);
  return text.slice(before.length, -1);
}
