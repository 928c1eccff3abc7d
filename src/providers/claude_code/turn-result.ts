/** Builds a turn's end: the `TurnResult` and the last events of the turn. */
import type { CommandResult } from '../../system/run-command.ts';
import {
  failedTurn,
  failureResult,
  unavailableWith,
  type TurnClosing,
  type Unanswered,
} from '../program/turn-closing.ts';
import { classifyFailure, hintFor, messageOf, type ClaudeFailure } from './errors.ts';
import type { ClaudeTurnHearing } from './hear-turn.ts';
import type { WireResult } from './wire.ts';
import { renderCount } from '../../text/quantities.ts';

type Ended = Pick<CommandResult, 'exitCode' | 'signal' | 'stderr' | 'startFailure' | 'missing'>;

/** Builds the result of a program that ended by itself. */
export function endedResult(ended: Ended, sessionId: string, heard: ClaudeTurnHearing): TurnClosing {
  if (ended.startFailure !== null) {
    const code = ended.missing ? 'cli_missing' : 'died';
    return failedTurn(unavailable(code, `Claude Code cannot be started (${ended.startFailure})`));
  }
  const result = heard.result();
  if (result === null) return withoutResult(ended, sessionId, heard.begun());
  return isFailure(result)
    ? failedTurn(resultOf(classifyFailure(result), messageOf(result), sessionId))
    : finishedTurn(result, sessionId, heard);
}

export function isAnswer(result: WireResult): boolean {
  return !isFailure(result) && (result.result ?? '').trim() !== '';
}

const unavailable = unavailableWith(hintFor);

/** Checks for a failure; a 401 also has `success`. */
function isFailure({ is_error: isError, subtype }: WireResult): boolean {
  return isError === true || subtype !== 'success';
}

function finishedTurn(result: WireResult, sessionId: string, heard: ClaudeTurnHearing): TurnClosing {
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

/** The result of a program that ended without its last line: stopped from outside, or refused before it started. */
function withoutResult({ exitCode, signal, stderr }: Ended, sessionId: string, begun: boolean): TurnClosing {
  const words = stderr.trim().split('\n').slice(-3).join(' ').slice(0, 500);
  // Killed by a signal, or 128 and above in a shell's notation: not the program's own refusal.
  const stopped = begun || signal !== null || exitCode === null || exitCode >= 128;
  if (!stopped && /already in use/.test(words)) return failedTurn(unavailable('internal', words));
  if (!stopped && words !== '') return failedTurn(unavailable('options', words));
  const how = words === '' ? `exit code ${exitCode ?? 'none'}, signal ${signal ?? 'none'}` : words;
  const message = `Claude Code ended in the middle of the turn: ${how}`;
  return failedTurn({ kind: 'cut', message, sessionId, uncounted: false });
}

function resultOf(failure: ClaudeFailure, message: string, sessionId: string): Unanswered {
  switch (failure.kind) {
    case 'too_much':
      return { kind: 'timed_out', limit: 'total', message, sessionId };
    case 'gone':
      return { kind: 'cut', message, sessionId: null, uncounted: false };
    default:
      return failureResult(failure, { message, sessionId }, hintFor);
  }
}
