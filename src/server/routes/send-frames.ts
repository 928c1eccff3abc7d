import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { TenantEnv } from '../access/access-token.ts';
import type { FrameSource } from '../streams/event-stream-port.ts';
import { writeEvents } from '../streams/event-writer.ts';
import type { ServerContext } from './server-context.ts';

/** The environment of a route that writes to its connection directly. */
export type StreamEnv = TenantEnv & { Bindings: HttpBindings };

type Sending = Pick<ServerContext, 'clock' | 'stopping' | 'tokens' | 'onFault'>;

interface Reading {
  readonly source: FrameSource;
  /** The number of the last frame that the reader has; 0 for none. */
  readonly after: number;
}

/**
 * Sends a returning reader the frames it does not have; answers 204 if it has them all, so that it stops reconnecting
 * (X002-12).
 */
export async function sendRest(
  server: Sending,
  context: Context<StreamEnv>,
  reading: Reading,
): Promise<Response> {
  const hasAll = await reading.source.hasAll(reading.after, server.stopping);
  return hasAll ? context.body(null, 204) : sendFrames(server, context, reading);
}

/** Answers with a stream of frames, as long as the reader's token is valid. Resolves when the connection is closed. */
export async function sendFrames(
  { clock, stopping: signal, tokens, onFault }: Sending,
  context: Context<StreamEnv>,
  { source, after }: Reading,
): Promise<Response> {
  const response = context.env.outgoing;
  const unwatch = tokens.watch(context.var.caller.id, () => response.destroy());
  try {
    await writeEvents({ source, after, response, clock, signal });
  } catch (error) {
    onFault(error);
  } finally {
    unwatch();
  }
  return RESPONSE_ALREADY_SENT;
}
