/** Masks an agent's events in their order: streams by whole lines, everything else text by text. */
import { eventBodySchema, type EventBody } from '../events/collab-event.ts';
import { createLineMasker, type LineMasker } from './line-masker.ts';
import { maskSecrets } from './mask-secrets.ts';

export interface MaskedEvents {
  readonly emit: (event: EventBody) => void;
  /** Resolves when every event has been passed on, including unfinished lines. */
  readonly drained: () => Promise<void>;
}

export function maskEvents(emit: (event: EventBody) => void): MaskedEvents {
  const streams = new Map<string, OpenStream>();
  let queue = Promise.resolve();
  const handOn = async (event: EventBody) => {
    for (const safe of await maskEvent(event, streams)) emit(safe);
  };
  return {
    emit: (event) => {
      queue = queue.then(() => handOn(event));
      // `drained` reports the error; an aborted turn never calls it.
      queue.catch(() => {});
    },
    async drained() {
      await queue;
      endAll(streams).forEach(emit);
    },
  };
}

interface OpenStream {
  readonly masker: LineMasker;
  /** Builds the event that carries a piece of this stream. */
  readonly piece: (text: string) => EventBody;
}

async function maskEvent(event: EventBody, streams: Map<string, OpenStream>): Promise<readonly EventBody[]> {
  switch (event.type) {
    case 'text.delta':
    case 'thinking.delta':
      return pushPiece(`block ${event.block_id}`, event.text, (text) => ({ ...event, text }), streams);
    case 'tool.output':
      return pushPiece(`call ${event.call_id}`, event.chunk, (chunk) => ({ ...event, chunk }), streams);
    case 'text.end':
    case 'thinking.end':
      return [...endStream(`block ${event.block_id}`, streams), await maskTexts(event)];
    case 'tool.result':
      return [...endStream(`call ${event.call_id}`, streams), await maskTexts(event)];
    case 'turn.ended':
      return [...endAll(streams), await maskTexts(event)];
    default:
      return [await maskTexts(event)];
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

async function maskTexts(event: EventBody): Promise<EventBody> {
  return eventBodySchema.parse(await maskEntries(event, names));
}

/** Identifiers that link events stay unchanged. */
const names: ReadonlySet<string> = new Set(['type', 'block_id', 'call_id', 'agent_id']);

/** Masks every text of a value, at any depth. */
export async function maskValue(value: unknown): Promise<unknown> {
  if (typeof value === 'string') return (await maskSecrets(value)).text;
  if (Array.isArray(value)) return Promise.all(value.map(maskValue));
  if (typeof value !== 'object' || value === null) return value;
  return maskEntries(value);
}

async function maskEntries(value: object, kept: ReadonlySet<string> = new Set()): Promise<object> {
  const entries = Object.entries(value).map(
    async ([key, inner]) => [key, kept.has(key) ? inner : await maskValue(inner)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
