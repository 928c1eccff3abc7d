/** Builds a turn's end: the `TurnResult` and the last events of the turn. */
import type { ErrorKind, EventBody } from '../../events/collab-event.ts';
import type { CommandResult } from '../../system/run-command.ts';
import type { TurnResult, UnavailableCode } from '../contract/contract.ts';
import { limitTexts, type LimitName } from '../program/watch-limits.ts';
import { classifyFailure, hintFor, messageOf, type ClaudeFailure } from './errors.ts';
import type { ClaudeTurnHearing } from './hear-turn.ts';
import type { WireResult } from './wire.ts';
import { renderCount } from '../../text/quantities.ts';

export interface ClaudeClosing {
  readonly result: TurnResult;
  readonly stopReason: string | null;
  /** Emitted before the turn's last events; null if nothing went wrong. */
  readonly error: EventBody | null;
}

type Unanswered = Exclude<TurnResult, { kind: 'answered' }>;

type Ended = Pick<CommandResult, 'exitCode' | 'signal' | 'stderr' | 'startFailure' | 'missing'>;

/** Builds the result of a program that ended by itself. */
export function endedResult(ended: Ended, sessionId: string, heard: ClaudeTurnHearing): ClaudeClosing {
  if (ended.startFailure !== null) {
    const code = ended.missing ? 'cli_missing' : 'died';
    return failed(unavailable(code, `Claude Code cannot be started (${ended.startFailure})`), code);
  }
  const result = heard.result();
  if (result === null) return withoutResult(ended, sessionId, heard.begun());
  return isFailure(result) ? failedTurn(result, sessionId) : finishedTurn(result, sessionId, heard);
}

export function isAnswer(result: WireResult): boolean {
  return !isFailure(result) && (result.result ?? '').trim() !== '';
}

export function limitResult(limit: LimitName, sessionId: string, spoke: boolean): ClaudeClosing {
  const message = `Claude Code ${limitTexts[limit]}${spoke ? ' after a partial answer' : ''}`;
  return failed({ kind: 'timed_out', limit, message, sessionId }, 'timeout');
}

export function unavailable(
  code: UnavailableCode,
  message: string,
): Extract<TurnResult, { kind: 'unavailable' }> {
  return { kind: 'unavailable', code, message, hint: hintFor(code) };
}

/** Checks for a failure; a 401 also has `success`. */
function isFailure({ is_error: isError, subtype }: WireResult): boolean {
  return isError === true || subtype !== 'success';
}

function finishedTurn(result: WireResult, sessionId: string, heard: ClaudeTurnHearing): ClaudeClosing {
  const text = result.result ?? '';
  const stopReason = result.stop_reason ?? null;
  if (!isAnswer(result)) {
    const denials = result.permission_denials?.length ?? 0;
    const why = denials === 0 ? '' : ` (${renderCount(denials, 'tool call')} refused)`;
    const message = `Claude Code ended the turn without a message${why}`;
    return { result: { kind: 'empty', message, sessionId }, stopReason, error: null };
  }
  return {
    result: { kind: 'answered', text, sessionId, usage: heard.usage(), stopReason },
    stopReason,
    error: null,
  };
}

function failedTurn(result: WireResult, sessionId: string): ClaudeClosing {
  const failure = classifyFailure(result);
  return failed(resultOf(failure, messageOf(result), sessionId), eventKindOf(failure));
}

/** The result of a program that ended without its last line: stopped from outside, or refused before it started. */
function withoutResult(
  { exitCode, signal, stderr }: Ended,
  sessionId: string,
  begun: boolean,
): ClaudeClosing {
  const words = stderr.trim().split('\n').slice(-3).join(' ').slice(0, 500);
  // Killed by a signal, or 128 and above in a shell's notation: not the program's own refusal.
  const stopped = begun || signal !== null || exitCode === null || exitCode >= 128;
  if (!stopped && /already in use/.test(words)) return failed(unavailable('internal', words), 'internal');
  if (!stopped && words !== '') return failed(unavailable('options', words), 'options');
  const how = words === '' ? `exit code ${exitCode ?? 'none'}, signal ${signal ?? 'none'}` : words;
  const message = `Claude Code ended in the middle of the turn: ${how}`;
  return failed({ kind: 'cut', message, sessionId, uncounted: false }, 'network');
}

function resultOf(failure: ClaudeFailure, message: string, sessionId: string): Unanswered {
  switch (failure.kind) {
    case 'unavailable':
      return unavailable(failure.code, message);
    case 'overloaded':
      // It reports no `retry-after` unless it waits for it itself.
      return {
        kind: 'overloaded',
        message,
        retryAfterMs: null,
        sessionId,
        ...(failure.unreachable === true && { unreachable: true }),
      };
    case 'context':
      return { kind: 'timed_out', limit: 'context', message, sessionId };
    case 'too_much':
      return { kind: 'timed_out', limit: 'total', message, sessionId };
    case 'refused':
      return { kind: 'empty', message, sessionId };
    case 'gone':
      return { kind: 'cut', message, sessionId: null, uncounted: false };
    case 'cut':
      return { kind: 'cut', message, sessionId, uncounted: false };
  }
}

function eventKindOf(failure: ClaudeFailure): ErrorKind {
  switch (failure.kind) {
    case 'unavailable':
      if (failure.code === 'quota') return 'rate_limit';
      return failure.code === 'died' ? 'internal' : failure.code;
    case 'overloaded':
      return 'overloaded';
    case 'context':
      return 'context_limit';
    case 'too_much':
      return 'timeout';
    case 'refused':
      return 'protocol';
    case 'gone':
    case 'cut':
      return 'network';
  }
}

function failed(result: Unanswered, kind: ErrorKind | 'died'): ClaudeClosing {
  const retryable = result.kind !== 'unavailable';
  const error: EventBody = {
    type: 'error',
    kind: kind === 'died' ? 'internal' : kind,
    message: result.message,
    retryable,
  };
  return { result, stopReason: 'error', error };
}
