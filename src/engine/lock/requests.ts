/** Requests from a second process to a run's owner, one JSON object a line in each direction. */
import { createConnection, type Server, type Socket } from 'node:net';
import { z } from 'zod';
import { parseJson } from '../../text/parse-json.ts';

export const ownerRequestSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('status') }),
  /** With `run_id`, only that run: the owner of a conversation has several, one after the other. */
  z.object({ type: z.literal('cancel'), run_id: z.string().optional() }),
  /** To the owner of a conversation: its waiting run has its answer. */
  z.object({ type: z.literal('continue'), run_id: z.string() }),
  /** Never answered: the connection closes when the owner releases the run, for any reason. */
  z.object({ type: z.literal('wait') }),
  z.object({
    type: z.literal('answer'),
    name: z.string(),
    value: z.json(),
    by: z.enum(['user', 'lead', 'caller', 'policy']),
  }),
]);
export type OwnerRequest = z.infer<typeof ownerRequestSchema>;

export const ownerReplySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), state: z.enum(['running', 'waiting']) }),
  z.object({
    ok: z.literal(false),
    message: z.string(),
    /** The owner is starting or leaving: the caller asks again, or takes the run. */
    passing: z.boolean().optional(),
  }),
]);
export type OwnerReply = z.infer<typeof ownerReplySchema>;

export type RequestHandler = (request: OwnerRequest) => Promise<OwnerReply>;

/** Serves every connection of `server` until it is closed; a caller that disconnects affects no other. */
export function serveRequests(server: Server, handler: () => RequestHandler): () => void {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => connections.delete(socket));
    onLine(socket, (line) => {
      void reply(line, handler()).then((answer) => socket.end(`${JSON.stringify(answer)}\n`));
    });
  });
  return () => {
    for (const socket of connections) socket.destroySoon();
  };
}

/** Returns null if no process listens at `address`, the owner exits before it replies, or `signal` fires. */
export function askAt(
  address: string,
  request: OwnerRequest,
  signal?: AbortSignal,
): Promise<OwnerReply | null> {
  return new Promise((resolve) => {
    const socket = createConnection({ path: address, ...(signal === undefined ? {} : { signal }) });
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(null));
    onLine(socket, (line) => {
      resolve(parseReply(line));
      socket.destroy();
    });
    socket.write(`${JSON.stringify(request)}\n`);
  });
}

async function reply(line: string, handler: RequestHandler): Promise<OwnerReply> {
  const request = parseRequest(line);
  if (request === null) return { ok: false, message: `not a request: ${line.slice(0, 200)}` };
  try {
    return await handler(request);
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function parseRequest(line: string): OwnerRequest | null {
  // The sender does not speak this protocol; the reply says so.
  return ownerRequestSchema.safeParse(parseJson(line)).data ?? null;
}

function parseReply(line: string): OwnerReply | null {
  // Another program listens at the address now: the owner is gone.
  return ownerReplySchema.safeParse(parseJson(line)).data ?? null;
}

function onLine(socket: Socket, take: (line: string) => void): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    text += String(chunk);
    const end = text.indexOf('\n');
    if (end === -1) return;
    socket.removeAllListeners('data');
    take(text.slice(0, end));
  });
}
