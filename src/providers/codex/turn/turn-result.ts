/** Builds a turn's end: the `TurnResult` and the last events of the turn. */
import type { ErrorKind, EventBody } from '../../../events/collab-event.ts';
import type { TurnResult, UnavailableCode } from '../../contract/contract.ts';
import { lastWords, type ConnectionEnding } from '../launch/connect.ts';
import { classifyError, hintFor, messageOf, type CodexFailure } from './errors.ts';
import { finalAnswer } from './final-answer.ts';
import type { CodexTurnHearing } from './hear-turn.ts';
import type { Reply } from './rpc.ts';
import type { WireError } from './wire.ts';
import { limitTexts, type LimitName } from '../../program/watch-limits.ts';

export interface CodexClosing {
  readonly result: TurnResult;
  readonly stopReason: string | null;
  /** Emitted before the turn's last events; null if nothing went wrong. */
  readonly error: EventBody | null;
}

type Heard = Pick<CodexTurnHearing, 'messages' | 'usage'>;

export function finishedResult(threadId: string, heard: Heard): CodexClosing {
  return answered(threadId, heard, 'completed');
}

export function failedResult(error: WireError, threadId: string, heard: Heard): CodexClosing {
  const failure = classifyError(error);
  if (failure.kind === 'truncated') return answered(threadId, heard, 'max_output_tokens');
  const message = messageOf(error);
  return failed(
    resultOf(failure, message, threadId),
    eventKinds[failure.kind] ?? unavailableKind(failure),
    message,
  );
}

export function limitResult(limit: LimitName, threadId: string | null, heard: Heard | null): CodexClosing {
  const partial = heard === null || finalAnswer(heard.messages()) === null ? '' : ' after a partial answer';
  const message = `Codex ${limitTexts[limit]}${partial}`;
  return failed({ kind: 'timed_out', limit, message, sessionId: threadId }, 'timeout', message);
}

/** The result of a turn that the server refused to start. */
export function refusedResult(reply: Extract<Reply<unknown>, { ok: false }>, threadId: string): CodexClosing {
  return failedResult(
    { message: withoutPrefix(reply.message), codexErrorInfo: null, additionalDetails: null },
    threadId,
    {
      messages: () => [],
      usage: () => null,
    },
  );
}

export function goneResult(ending: ConnectionEnding, sessionId: string | null): CodexClosing {
  const uncounted = ending.stopped === 'forAnotherTurn';
  const how =
    lastWords(ending) ?? `exit code ${ending.exitCode ?? 'none'}, signal ${ending.signal ?? 'none'}`;
  const message = uncounted
    ? "Codex was stopped at another turn's limit"
    : `Codex ended in the middle of the turn: ${how}`;
  return failed({ kind: 'cut', message, sessionId, uncounted }, 'network', message);
}

/** The result of a turn that Codex ended without an answer, an error or our request. */
export function abandonedResult(sessionId: string): CodexClosing {
  const message = 'Codex interrupted the turn by itself';
  return failed({ kind: 'cut', message, sessionId, uncounted: false }, 'network', message);
}

/** The result of a turn that the caller interrupted. */
export function interruptedResult(sessionId: string): CodexClosing {
  const result = { kind: 'cut', message: 'the turn was interrupted', sessionId, uncounted: true } as const;
  return { result, stopReason: 'interrupted', error: null };
}

export function unavailable(
  code: UnavailableCode,
  message: string,
): Extract<TurnResult, { kind: 'unavailable' }> {
  return { kind: 'unavailable', code, message, hint: hintFor(code) };
}

function answered(sessionId: string, heard: Heard, stopReason: string): CodexClosing {
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

function failed(result: TurnResult, kind: ErrorKind, message: string): CodexClosing {
  const retryable = result.kind !== 'unavailable';
  return { result, stopReason: 'error', error: { type: 'error', kind, message, retryable } };
}

function resultOf(
  failure: Exclude<CodexFailure, { kind: 'truncated' }>,
  message: string,
  sessionId: string,
): TurnResult {
  switch (failure.kind) {
    case 'unavailable':
      return unavailable(failure.code, message);
    case 'overloaded':
      return {
        kind: 'overloaded',
        message,
        retryAfterMs: failure.retryAfterMs,
        sessionId,
        ...(failure.unreachable === true && { unreachable: true }),
      };
    case 'silent':
      return { kind: 'timed_out', limit: 'idle', message: `Codex ${limitTexts.idle}`, sessionId };
    case 'context':
      return { kind: 'timed_out', limit: 'context', message, sessionId };
    case 'refused':
      return { kind: 'empty', message, sessionId };
    case 'cut':
      return { kind: 'cut', message, sessionId, uncounted: false };
  }
}

const eventKinds: Readonly<Partial<Record<CodexFailure['kind'], ErrorKind>>> = {
  overloaded: 'overloaded',
  silent: 'timeout',
  context: 'context_limit',
  refused: 'protocol',
  cut: 'network',
};

function unavailableKind(failure: CodexFailure): ErrorKind {
  if (failure.kind !== 'unavailable') return 'internal';
  if (failure.code === 'quota') return 'rate_limit';
  return failure.code === 'died' ? 'internal' : failure.code;
}

/** Returns the reason in "turn/start failed: Input exceeds …". */
function withoutPrefix(message: string): string {
  return message.replace(/^turn\/start failed: /, '');
}
