/** Runs one call of the agent: sends the prompt, reads the notifications, and returns the end as a value. */
import { z } from 'zod';
import type { TurnResult } from '../../contract/contract.ts';
import type { ConnectionEnding } from '../launch/connect.ts';
import { hearTurn, type CodexTurnHearing, type CodexHearOptions } from './hear-turn.ts';
import type { Reply } from './rpc.ts';
import { environmentsOf, type ThreadPlace } from './threads.ts';
import {
  abandonedResult,
  failedResult,
  finishedResult,
  goneResult,
  interruptedResult,
  limitResult,
  refusedResult,
} from './turn-result.ts';
import type { TurnClosing } from '../../program/turn-closing.ts';
import type { TurnWatch } from '../../program/turn-watch.ts';

export interface CodexTurnOptions extends CodexHearOptions {
  readonly place: ThreadPlace;
  readonly prompt: string;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Ends the turn alone. */
  readonly interrupted?: AbortSignal;
  /** Time for an interrupted turn to confirm its end before the server is stopped. */
  readonly interruptGraceMs: number;
}

/** Rejects only with the signal's reason when it is aborted. */
export async function runTurn(options: CodexTurnOptions): Promise<TurnResult> {
  const hearing = hearTurn(options);
  try {
    const sent = send(options);
    const end = await firstEnd(options, hearing, sent);
    const closing = await close(options, hearing, end, sent);
    hearing.close(closing.stopReason, closing.error);
    return closing.result;
  } finally {
    hearing.unsubscribe();
  }
}

const turnStartSchema = z.looseObject({ turn: z.looseObject({ id: z.string() }) });
type Sent = Promise<Reply<z.infer<typeof turnStartSchema>>>;

function send({ connection, threadId, place, prompt, callId }: CodexTurnOptions): Sent {
  const input = [{ type: 'text', text: prompt, text_elements: [] }];
  const params = { threadId, clientUserMessageId: callId, input, environments: environmentsOf(place) };
  return connection.rpc.call('turn/start', params, turnStartSchema);
}

type TurnEnd =
  | { readonly kind: 'heard'; readonly heard: Awaited<CodexTurnHearing['ended']> }
  | { readonly kind: 'refused'; readonly reply: Extract<Awaited<Sent>, { ok: false }> }
  | { readonly kind: 'limit'; readonly limit: Awaited<TurnWatch['passed']> }
  | { readonly kind: 'gone'; readonly ending: ConnectionEnding }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'aborted' };

function firstEnd(options: CodexTurnOptions, hearing: CodexTurnHearing, sent: Sent): Promise<TurnEnd> {
  const { connection, watch, signal, interrupted } = options;
  return new Promise((resolve) => {
    void hearing.ended.then((end) => resolve({ kind: 'heard', heard: end }));
    void sent.then((reply) =>
      reply.ok || reply.why === 'closed' ? undefined : resolve({ kind: 'refused', reply }),
    );
    void watch.passed.then((limit) => resolve({ kind: 'limit', limit }));
    void connection.ended.then((ending) => resolve({ kind: 'gone', ending }));
    whenAborted(signal, () => resolve({ kind: 'aborted' }));
    if (interrupted !== undefined) whenAborted(interrupted, () => resolve({ kind: 'interrupted' }));
  });
}

function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

async function close(
  options: CodexTurnOptions,
  hearing: CodexTurnHearing,
  end: TurnEnd,
  sent: Sent,
): Promise<TurnClosing> {
  const { threadId } = options;
  switch (end.kind) {
    case 'heard':
      return heard(options, hearing, end.heard);
    case 'refused':
      return refusedResult(end.reply, threadId);
    case 'limit':
      await interrupt(options, hearing, sent);
      return limitResult(end.limit, threadId, hearing);
    case 'interrupted':
      await interrupt(options, hearing, sent);
      return interruptedResult(threadId);
    case 'gone':
      return goneResult(end.ending, threadId);
    case 'aborted':
      // Not awaited: the caller that aborts closes the agent next.
      void interrupt(options, hearing, sent);
      hearing.close('aborted', null);
      throw options.signal.reason;
  }
}

async function heard(
  options: CodexTurnOptions,
  hearing: CodexTurnHearing,
  end: Awaited<CodexTurnHearing['ended']>,
): Promise<TurnClosing> {
  const { threadId } = options;
  if (end.kind === 'retrying') {
    // Codex is about to repeat by itself, up to 30 requests; retries follow one policy, which is not here.
    await interrupt(options, hearing, Promise.resolve({ ok: true, value: { turn: { id: end.turnId } } }));
    return failedResult(end.error, threadId, hearing);
  }
  if (end.status === 'completed') return finishedResult(threadId, hearing);
  if (end.error !== null) return failedResult(end.error, threadId, hearing);
  return abandonedResult(threadId);
}

/** Ends the turn at the agent; if the agent does not confirm in time, ends the agent. */
async function interrupt(options: CodexTurnOptions, hearing: CodexTurnHearing, sent: Sent): Promise<void> {
  const { connection, threadId, interruptGraceMs } = options;
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), interruptGraceMs);
  });
  const ended = (async (): Promise<'ended'> => {
    const reply = await sent;
    if (reply.ok) {
      void connection.rpc.call('turn/interrupt', { threadId, turnId: reply.value.turn.id }, z.unknown());
      await hearing.completed;
    }
    return 'ended';
  })();
  const first = await Promise.race([ended, grace, connection.ended]);
  clearTimeout(timer);
  if (first === 'late') await connection.stop('forAnotherTurn');
}
