/** Builds a turn's end: the `TurnResult` and the last events of the turn. */
import { lastWords, type ConnectionEnding } from '../launch/connect.ts';
import { classifyError, hintFor, messageOf } from './errors.ts';
import { finalAnswer } from './final-answer.ts';
import type { CodexTurnHearing } from './hear-turn.ts';
import type { Reply } from './rpc.ts';
import type { WireError } from './wire.ts';
import {
  failedTurn,
  failureResult,
  limitClosing,
  unavailableWith,
  type TurnClosing,
  type Unanswered,
} from '../../program/turn-closing.ts';
import { limitTexts, type LimitName } from '../../program/watch-limits.ts';

type Heard = Pick<CodexTurnHearing, 'messages' | 'usage'>;

export function finishedResult(threadId: string, heard: Heard): TurnClosing {
  return answered(threadId, heard, 'completed');
}

export function failedResult(error: WireError, threadId: string, heard: Heard): TurnClosing {
  const failure = classifyError(error);
  if (failure.kind === 'truncated') return answered(threadId, heard, 'max_output_tokens');
  const message = messageOf(error);
  const result: Unanswered =
    failure.kind === 'silent'
      ? { kind: 'timed_out', limit: 'idle', message: `Codex ${limitTexts.idle}`, sessionId: threadId }
      : failureResult(failure, { message, sessionId: threadId }, hintFor);
  return failedTurn(result, message);
}

export function limitResult(limit: LimitName, threadId: string | null, heard: Heard | null): TurnClosing {
  const hasText = heard !== null && finalAnswer(heard.messages()) !== null;
  return limitClosing('Codex', limit, { sessionId: threadId, hasText });
}

/** The result of a turn that the server refused to start. */
export function refusedResult(reply: Extract<Reply<unknown>, { ok: false }>, threadId: string): TurnClosing {
  return failedResult(
    { message: withoutPrefix(reply.message), codexErrorInfo: null, additionalDetails: null },
    threadId,
    {
      messages: () => [],
      usage: () => null,
    },
  );
}

export function goneResult(ending: ConnectionEnding, sessionId: string | null): TurnClosing {
  const uncounted = ending.stopped === 'forAnotherTurn';
  const how =
    lastWords(ending) ?? `exit code ${ending.exitCode ?? 'none'}, signal ${ending.signal ?? 'none'}`;
  const message = uncounted
    ? "Codex was stopped at another turn's limit"
    : `Codex ended in the middle of the turn: ${how}`;
  return failedTurn({ kind: 'cut', message, sessionId, uncounted });
}

/** The result of a turn that Codex ended without an answer, an error or our request. */
export function abandonedResult(sessionId: string): TurnClosing {
  const message = 'Codex interrupted the turn by itself';
  return failedTurn({ kind: 'cut', message, sessionId, uncounted: false });
}

/** The result of a turn that the caller interrupted. */
export function interruptedResult(sessionId: string): TurnClosing {
  const result = { kind: 'cut', message: 'the turn was interrupted', sessionId, uncounted: true } as const;
  return { result, stopReason: 'interrupted', error: null };
}

export const unavailable = unavailableWith(hintFor);

function answered(sessionId: string, heard: Heard, stopReason: string): TurnClosing {
  const text = finalAnswer(heard.messages());
  if (text === null) {
    const message = 'Codex ended the turn without a message (a refusal looks the same)';
    return { result: { kind: 'empty', message, sessionId }, stopReason, error: null };
  }
  return {
    result: { kind: 'answered', text, sessionId, usage: heard.usage(), stopReason },
    stopReason,
    error: null,
  };
}

/** Returns the reason in "turn/start failed: Input exceeds …". */
function withoutPrefix(message: string): string {
  return message.replace(/^turn\/start failed: /, '');
}
