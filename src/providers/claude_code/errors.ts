/** Maps errors of Claude Code to the ways a turn can end (measured with 2.1.330: test/agents/traps.md). */
import type { UnavailableCode } from '../contract/contract.ts';
import type { ProgramFailure } from '../program/turn-closing.ts';
import { howToInstallClaude } from './package-of-claude.ts';
import type { WireResult } from './wire.ts';

export type ClaudeFailure =
  | ProgramFailure
  /** The turn reached its own limits; a smaller task may fit. */
  | { readonly kind: 'too_much' }
  | { readonly kind: 'gone' };

/**
 * Classifies a turn that ended with `is_error`. Neither the exit code nor `subtype` is reliable: `success` appears with a 401.
 */
export function classifyFailure(result: WireResult): ClaudeFailure {
  const text = messageOf(result);
  return (
    bySubtype(result, text) ??
    byReason(result) ??
    byText(text) ??
    byStatus(result.api_error_status ?? null) ?? { kind: 'unavailable', code: 'options' }
  );
}

/** Returns the message in one line. */
export function messageOf({ result, errors, subtype, terminal_reason: reason }: WireResult): string {
  const text = [...(errors ?? []), result ?? ''].filter((part) => part !== '').join(' ');
  return (text === '' ? (reason ?? subtype) : text).replaceAll(/\s+/g, ' ').trim().slice(0, 500);
}

/** Returns the remedy as one sentence. */
export function hintFor(code: UnavailableCode): string {
  switch (code) {
    case 'auth':
      return 'Run `claude` and log in with /login, or set ANTHROPIC_API_KEY.';
    case 'quota':
      return 'Wait until the limit is reset, or choose another lead with --lead.';
    case 'model':
      return 'Choose a model that this login may use: --lead claude_code:<model>.';
    case 'cli_missing':
      return `Install it: ${howToInstallClaude().command}`;
    case 'options':
      return 'Run `collab doctor`; `claude -p hello` shows whether Claude Code works by itself.';
    case 'died':
      return 'Run `collab doctor`; if Claude Code keeps dying, install it again.';
    case 'internal':
      return 'This is a fault of collab: please report it.';
  }
}

function bySubtype({ subtype }: WireResult, text: string): ClaudeFailure | null {
  if (subtype === 'error_max_turns') return { kind: 'too_much' };
  if (subtype === 'error_max_budget_usd') return { kind: 'unavailable', code: 'quota' };
  if (subtype !== 'error_during_execution') return null;
  return text.startsWith('No conversation found') ? { kind: 'gone' } : { kind: 'cut' };
}

function byReason({ terminal_reason: reason, stop_reason: stop }: WireResult): ClaudeFailure | null {
  if (stop === 'refusal') return { kind: 'refused' };
  if (reason === 'prompt_too_long') return { kind: 'context' };
  return reason?.startsWith('aborted') === true ? { kind: 'cut' } : null;
}

/** Classifies texts that are more precise than their status, or that have none. */
function byText(text: string): ClaudeFailure | null {
  if (/not logged in|\/login\b|failed to authenticate|oauth token/i.test(text))
    return { kind: 'unavailable', code: 'auth' };
  if (/credit balance|usage limit|hit your .*limit|limit reached/i.test(text))
    return { kind: 'unavailable', code: 'quota' };
  if (/issue with the selected model/i.test(text)) return { kind: 'unavailable', code: 'model' };
  if (/output token maximum|context window limit|prompt is too long|request too large/i.test(text))
    return { kind: 'context' };
  if (/connection dropped|ECONNRESET|socket hang up|terminated/i.test(text)) return { kind: 'cut' };
  if (/connection refused|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|connection error|unable to connect/i.test(text))
    return { kind: 'overloaded', unreachable: true };
  if (/timed? ?out/i.test(text)) return { kind: 'overloaded' };
  return null;
}

function byStatus(status: number | null): ClaudeFailure | null {
  if (status === null) return null;
  if (status === 401 || status === 403) return { kind: 'unavailable', code: 'auth' };
  if (status === 402) return { kind: 'unavailable', code: 'quota' };
  if (status === 404) return { kind: 'unavailable', code: 'model' };
  if (status === 413) return { kind: 'context' };
  if (status === 408 || status === 429 || status >= 500) return { kind: 'overloaded' };
  return { kind: 'unavailable', code: 'options' };
}
