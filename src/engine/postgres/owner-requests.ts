/** Requests to the owner of a run, as rows: asked on any machine, answered by the process that drives the run. */
import type { Pool } from 'pg';
import {
  ownerReplySchema,
  ownerRequestSchema,
  type OwnerReply,
  type OwnerRequest,
  type RequestHandler,
} from '../lock/requests.ts';
import { nap } from '../../system/nap.ts';
import { parseJson } from '../../text/parse-json.ts';
import { repeatWhileOut } from './connect.ts';
import { channelOf } from './presence.ts';

/** Milliseconds between two looks for a reply, or for the end of an owner. */
const lookMs = 100;

/** Returns the number of the owner that is alive; null if there is none. */
export type FindOwner = () => Promise<number | null>;

/** Returns null if no process owns the run, its owner exits before it replies, or `signal` fires. */
export async function askByRow(
  pool: Pick<Pool, 'query'>,
  runId: string,
  { request, findOwner, signal }: Asking,
): Promise<OwnerReply | null> {
  const owner = await findOwner();
  if (owner === null) return null;
  // Never answered: it ends with the owner.
  const id = request.type === 'wait' ? null : await insert(pool, { runId, owner, request });
  for (;;) {
    const reply = id === null ? null : await readReply(pool, id);
    if (reply !== null || signal?.aborted === true) return reply;
    if ((await findOwner()) !== owner) return id === null ? null : readReply(pool, id);
    await nap(lookMs, signal);
  }
}

export interface Asking {
  readonly request: OwnerRequest;
  readonly findOwner: FindOwner;
  readonly signal?: AbortSignal | undefined;
}

export interface AnsweringService {
  /** Answers all requests that wait for this process. Two calls at once answer none twice. */
  answerAll(): Promise<void>;
  /** Resolves when the replies that are due for this run are stored: only then may its owner leave. */
  replied(runId: string): Promise<void>;
}

export function createAnsweringService(
  pool: Pick<Pool, 'query'>,
  owner: number,
  handlerOf: (runId: string) => RequestHandler | null,
): AnsweringService {
  const due = new Map<string, { readonly runId: string; readonly reply: Promise<void> }>();

  /** Queries for requests that are on their way, and what was answered meanwhile: their rows may be older than the answer. */
  let looks = 0;
  const answered = new Set<string>();

  async function openRequests(): Promise<readonly RequestRow[]> {
    looks += 1;
    try {
      const { rows } = await pool.query<RequestRow>(
        'select id, run_id, body from collab.run_request where owner = $1 and reply is null order by id',
        [owner],
      );
      return rows.filter(({ id }) => !due.has(id) && !answered.has(id));
    } finally {
      looks -= 1;
      if (looks === 0) answered.clear();
    }
  }

  async function answerOne({ id, run_id: runId, body }: RequestRow): Promise<void> {
    const request = ownerRequestSchema.safeParse(parseJson(body)).data;
    const handler = handlerOf(runId);
    const reply = await replyTo(request, handler);
    await pool.query('update collab.run_request set reply = $2 where id = $1', [id, JSON.stringify(reply)]);
  }

  function answer(row: RequestRow): Promise<void> {
    const reply = answerOne(row).finally(() => {
      due.delete(row.id);
      if (looks > 0) answered.add(row.id);
    });
    due.set(row.id, { runId: row.run_id, reply });
    return reply;
  }

  return {
    async answerAll() {
      await Promise.all((await openRequests()).map(answer));
    },
    async replied(runId) {
      const replies = [...due.values()].flatMap((one) => (one.runId === runId ? [one.reply] : []));
      await Promise.allSettled(replies);
    },
  };
}

interface RequestRow {
  readonly id: string;
  readonly run_id: string;
  readonly body: string;
}

async function replyTo(
  request: OwnerRequest | undefined,
  handler: RequestHandler | null,
): Promise<OwnerReply> {
  if (request === undefined) return { ok: false, message: 'not a request of this version' };
  if (handler === null) return { ok: false, message: 'the run has left this process', passing: true };
  try {
    return await handler(request);
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

interface NewRequest {
  readonly runId: string;
  readonly owner: number;
  readonly request: OwnerRequest;
}

async function insert(pool: Pick<Pool, 'query'>, { runId, owner, request }: NewRequest): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `with asked as (
       insert into collab.run_request (run_id, owner, body) values ($1, $2, $3) returning id)
     select id, pg_notify($4, '') from asked`,
    [runId, owner, JSON.stringify(request), channelOf(owner)],
  );
  return rows[0]?.id ?? '';
}

async function readReply(pool: Pick<Pool, 'query'>, id: string): Promise<OwnerReply | null> {
  const { rows } = await repeatWhileOut(() =>
    pool.query<{ reply: string | null }>('select reply from collab.run_request where id = $1', [id]),
  );
  const text = rows[0]?.reply ?? null;
  return text === null ? null : (ownerReplySchema.safeParse(parseJson(text)).data ?? null);
}
