/** JSON-RPC as in `codex app-server`: one object per line, no `jsonrpc` member (0.169). */
import { z } from 'zod';
import { parseJson } from '../../../text/parse-json.ts';

const idSchema = z.union([z.string(), z.number()]);
const messageSchema = z.looseObject({
  id: idSchema.nullish(),
  method: z.string().nullish(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z
    .looseObject({ code: z.number().nullish(), message: z.string().nullish(), data: z.unknown().optional() })
    .nullish(),
});
const aboutThread = z.looseObject({ threadId: z.string() });

export interface Notification {
  readonly method: string;
  readonly params: unknown;
  /** The line, unchanged. */
  readonly line: string;
}
export interface ServerRequest extends Notification {
  readonly id: string | number;
}

/** A message to a conversation: a notification, a request of the server, or a line that is neither. */
export type ThreadMessage =
  | ({ readonly kind: 'notification' } & Notification)
  | ({ readonly kind: 'request' } & ServerRequest);

export type Reply<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      /** `refused`: the server returned an error. `shape`: its answer has another shape. `closed`: it has ended. */
      readonly why: 'refused' | 'shape' | 'closed';
      readonly message: string;
      readonly data: unknown;
    };

export interface Rpc {
  call<Value>(method: string, params: unknown, schema: z.ZodType<Value>): Promise<Reply<Value>>;
  notify(method: string, params: unknown): void;
  answer(id: string | number, result: unknown): void;
  refuse(id: string | number, message: string): void;
  /** Delivers every message about one conversation, in order, until the returned function is called. */
  subscribe(threadId: string, listener: (message: ThreadMessage) => void): () => void;
  /** Takes every line that the server writes. */
  receive(line: string): void;
  /** Reports that the server has ended: every pending call returns `closed`. */
  close(): void;
}

export function createRpc(write: (line: string) => void): Rpc {
  let lastId = 0;
  let closed = false;
  const waiting = new Map<string | number, (reply: Reply<unknown>) => void>();
  const listeners = new Map<string, (message: ThreadMessage) => void>();
  const send = (message: object): void => write(JSON.stringify(message));

  const rpc: Rpc = {
    async call(method, params, schema) {
      if (closed) return gone;
      const id = (lastId += 1);
      const reply = await new Promise<Reply<unknown>>((resolve) => {
        waiting.set(id, resolve);
        send({ id, method, params });
      });
      return reply.ok ? shaped(method, reply.value, schema) : reply;
    },
    notify: (method, params) => send({ method, params }),
    answer: (id, result) => send({ id, result }),
    refuse: (id, message) => send({ id, error: { code: -32_601, message } }),
    subscribe(threadId, listener) {
      listeners.set(threadId, listener);
      return () => void listeners.delete(threadId);
    },
    receive(line) {
      const message = parseMessage(line);
      if (message === null) return;
      if (message.kind === 'response') {
        waiting.get(message.id)?.(message.reply);
        waiting.delete(message.id);
        return;
      }
      const listener = listeners.get(threadOf(message.params) ?? '');
      if (listener !== undefined) listener(message);
      else if (message.kind === 'request') rpc.refuse(message.id, 'not offered by this client');
    },
    close() {
      closed = true;
      for (const resolve of waiting.values()) resolve(gone);
      waiting.clear();
    },
  };
  return rpc;
}

const gone = { ok: false, why: 'closed', message: 'Codex ended', data: null } as const;

type Message =
  | ThreadMessage
  | { readonly kind: 'response'; readonly id: string | number; readonly reply: Reply<unknown> };

/** Returns null for a line that is not a message: Codex writes nothing else, but its crash may leave an incomplete line. */
function parseMessage(line: string): Message | null {
  const parsed = messageSchema.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const { id, method, params, result, error } = parsed.data;
  if (typeof method === 'string') {
    const message = { method, params, line };
    return id === null || id === undefined
      ? { kind: 'notification', ...message }
      : { kind: 'request', id, ...message };
  }
  if (id === null || id === undefined) return null;
  if (error === null || error === undefined)
    return { kind: 'response', id, reply: { ok: true, value: result } };
  const message = error.message ?? 'no reason given';
  return { kind: 'response', id, reply: { ok: false, why: 'refused', message, data: error.data } };
}

function threadOf(params: unknown): string | null {
  return aboutThread.safeParse(params).data?.threadId ?? null;
}

function shaped<Value>(method: string, value: unknown, schema: z.ZodType<Value>): Reply<Value> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const message = `Codex answered ${method} in an unknown form: ${z.prettifyError(parsed.error)}`;
  return { ok: false, why: 'shape', message, data: null };
}
