/** Turns the events of a message stream into signs for the loop, and folds them into a result. */
import { argumentsIn, type Hearing } from '../client/hearing.ts';
import { createWireReader, typed } from '../api/wire.ts';
import type { ModelSign } from '../contract/model.ts';
import { joinUsage, endOf, readUsage, type BlockData } from './read-reply.ts';
import {
  blockDeltaSchema,
  blockStartSchema,
  blockStopSchema,
  deltaTypes,
  messageDeltaSchema,
  messageSchema,
  messageStartSchema,
  type MessageUsage,
} from './wire.ts';

export interface MessageHearing extends Hearing {
  /** Takes a message that arrived as a whole. */
  hearWhole(message: unknown): void;
}

interface OpenBlock {
  readonly data: BlockData;
  /** The pieces of a call's input, which is JSON. */
  written: string;
}

export function createHearing(asked: string, say: (sign: ModelSign) => void): MessageHearing {
  const wire = createWireReader();
  const blocks = new Map<number, OpenBlock>();
  let begun = false;
  let model = asked;
  let usage: MessageUsage | null = null;
  let stopReason = '';
  const begin = (): void => {
    if (!begun) say({ kind: 'begun' });
    begun = true;
  };
  const hearDelta = (event: unknown): void => {
    const { index, delta } = wire.read(blockDeltaSchema, event) ?? {};
    if (index === undefined || delta === undefined) return;
    // Other deltas, such as citations, add nothing that is kept.
    const known = deltaTypes[delta.type];
    if (known === undefined) return say({ kind: 'alive' });
    const { field, added } = known;
    const text = wire.read(added, delta);
    const block = blocks.get(index);
    if (text === null) return;
    if (block === undefined)
      return wire.misread(`a ${delta.type} for block ${String(index)}, which was not started`);
    if (field === 'input') block.written += text;
    else {
      const { [field]: before = '' } = block.data;
      // A type other than text is reported when the block is read.
      if (typeof before === 'string') block.data[field] = before + text;
    }
    if (field === 'text' || field === 'thinking') say({ kind: field, block: index, text });
    else say({ kind: 'alive' });
  };
  const hearEvent = (type: string, event: unknown): void => {
    switch (type) {
      case 'message_start': {
        const { message } = wire.read(messageStartSchema, event) ?? {};
        model = message?.model ?? model;
        usage = joinUsage(usage, message?.usage);
        return begin();
      }
      case 'content_block_start': {
        const start = wire.read(blockStartSchema, event);
        if (start !== null) blocks.set(start.index, { data: start.content_block, written: '' });
        return say({ kind: 'alive' });
      }
      case 'content_block_delta':
        return hearDelta(event);
      case 'content_block_stop': {
        const stop = wire.read(blockStopSchema, event);
        if (stop !== null) say(endSign(stop.index, blocks.get(stop.index)?.data.type));
        return;
      }
      case 'message_delta': {
        const { delta, usage: told } = wire.read(messageDeltaSchema, event) ?? {};
        stopReason = delta?.stop_reason || stopReason;
        usage = joinUsage(usage, told);
        return say({ kind: 'alive' });
      }
      default:
        return say({ kind: 'alive' });
    }
  };
  const contents = (): readonly BlockData[] =>
    [...blocks.entries()]
      .toSorted(([left], [right]) => left - right)
      .map(([, { data, written }]) => (written === '' ? data : { ...data, input: argumentsIn(written) }));
  return {
    hear: (event) => hearEvent(wire.read(typed, event)?.type ?? '', event),
    hearWhole(data) {
      begin();
      const message = wire.read(messageSchema, data);
      if (message === null) return;
      model = message.model ?? model;
      usage = joinUsage(usage, message.usage);
      stopReason = message.stop_reason === '' ? 'end_turn' : message.stop_reason;
      for (const [index, block] of message.content.entries()) {
        blocks.set(index, { data: block, written: '' });
        const { type } = block;
        const text = type === 'text' || type === 'thinking' ? block[type] : null;
        if ((type === 'text' || type === 'thinking') && typeof text === 'string')
          say({ kind: type, block: index, text });
        say(endSign(index, type));
      }
    },
    end: () => {
      const end = endOf(contents(), stopReason, wire);
      return wire.failure() ?? end;
    },
    usage: () => (usage === null ? null : readUsage(usage, model)),
  };
}

function endSign(block: number, type: string | undefined): ModelSign {
  if (type === 'text') return { kind: 'text_end', block };
  if (type === 'thinking') return { kind: 'thinking_end', block, redacted: false };
  if (type === 'redacted_thinking') return { kind: 'thinking_end', block, redacted: true };
  return { kind: 'alive' };
}
