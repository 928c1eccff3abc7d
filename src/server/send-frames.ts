import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { TenantEnv } from './access-token.ts';
import type { FrameSource } from './event-stream-port.ts';
import { writeEvents } from './event-writer.ts';
import type { ServerContext } from './server-context.ts';

/** Of a route that writes to its connection by itself. */
export type StreamEnv = TenantEnv & { Bindings: HttpBindings };

/** Answers by a stream of frames. Resolves when the connection is over. */
export async function sendFrames(
  { clock, stopping: signal, onFault }: Pick<ServerContext, 'clock' | 'stopping' | 'onFault'>,
  context: Context<StreamEnv>,
  { source, after }: { readonly source: FrameSource; readonly after: number },
): Promise<Response> {
  try {
    await writeEvents({ source, after, response: context.env.outgoing, clock, signal });
  } catch (error) {
    onFault(error);
  }
  return RESPONSE_ALREADY_SENT;
}
