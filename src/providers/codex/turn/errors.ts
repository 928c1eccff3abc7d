/** Maps errors of Codex to the ways a turn can end (measured with 0.169 in test/agents/traps.md). */
import { z } from 'zod';
import type { UnavailableCode } from '../../contract/contract.ts';
import type { ProgramFailure } from '../../program/turn-closing.ts';
import type { WireError } from './wire.ts';

export type CodexFailure =
  | ProgramFailure
  /** The stream was silent for longer than Codex's own limit, which the built-in provider has. */
  | { readonly kind: 'silent' }
  /** The answer reached the model's own limit: the text so far is the answer. */
  | { readonly kind: 'truncated' };

/** Returns the text to show: a retry notice ("Reconnecting... 1/5") has its reason in the details. */
export function messageOf({ message, additionalDetails }: WireError): string {
  return additionalDetails ?? message;
}

export function classifyError(error: WireError): CodexFailure {
  const text = messageOf(error);
  const info = readInfo(error.codexErrorInfo);
  return (
    byText(text) ??
    (info.status === null ? null : byStatus(info.status)) ??
    byName(info.name, text) ?? { kind: 'unavailable', code: 'options' }
  );
}

/**
 * Detects a notice about the WebSocket that the built-in provider tries first. No model was called: after a few of them Codex
 * continues over HTTP, as it must behind many proxies.
 */
export function isAboutWebSocket(error: WireError): boolean {
  return /WebSocket/i.test(messageOf(error));
}

/** Returns the remedy as one sentence. */
export function hintFor(code: UnavailableCode): string {
  switch (code) {
    case 'auth':
      return 'Run `codex login`, or set the key that your model provider asks for.';
    case 'quota':
      return 'Wait until the limit is reset, or choose another advisor with --advisor.';
    case 'model':
      return "Choose a model that this login may use: --advisor codex:<model>, or `model` in Codex's config.toml.";
    case 'cli_missing':
      return 'Install it: npm install --global @openai/codex';
    case 'options':
      return "Check the model provider in Codex's config.toml; `codex doctor` shows what is wrong.";
    case 'died':
      return 'Run `collab doctor`; if Codex keeps dying, install it again.';
    case 'internal':
      return 'This is a fault of collab: please report it.';
  }
}

/** Classifies texts that are more precise than their code ("other"). */
function byText(text: string): CodexFailure | null {
  if (/reason: max_output_tokens/.test(text)) return { kind: 'truncated' };
  if (/idle timeout waiting for SSE/.test(text)) return { kind: 'silent' };
  if (/reason: content_filter/.test(text)) return { kind: 'refused' };
  if (text.startsWith('Missing environment variable')) return { kind: 'unavailable', code: 'auth' };
  if (text.startsWith('Input exceeds the maximum length')) return { kind: 'context' };
  return null;
}

function byStatus(status: number): CodexFailure | null {
  if (status === 401 || status === 403) return { kind: 'unavailable', code: 'auth' };
  if (status === 402) return { kind: 'unavailable', code: 'quota' };
  if (status === 413) return { kind: 'context' };
  if (status === 408 || status === 429 || status >= 500) return { kind: 'overloaded', retryAfterMs: null };
  return status >= 400 ? { kind: 'unavailable', code: 'options' } : null;
}

function byName(name: string, text: string): CodexFailure | null {
  switch (name) {
    case 'contextWindowExceeded':
      return { kind: 'context' };
    case 'usageLimitExceeded':
    case 'sessionBudgetExceeded':
      return { kind: 'unavailable', code: 'quota' };
    case 'modelNotFound':
      return { kind: 'unavailable', code: 'model' };
    case 'unauthorized':
      return { kind: 'unavailable', code: 'auth' };
    case 'rateLimitExceeded':
    case 'serverOverloaded':
    case 'internalServerError':
    case 'flexUnavailable':
    case 'policyCapacityUnavailable':
      return { kind: 'overloaded', retryAfterMs: retryAfter(text) };
    case 'cyberPolicy':
    case 'misalignmentPolicyViolation':
    case 'inferenceHookDenied':
      return { kind: 'refused' };
    default:
      return byConnection(name, text);
  }
}

function byConnection(name: string, text: string): CodexFailure | null {
  if (/^Connection failed|waiting for network|refused|failed to lookup|unreachable/i.test(text)) {
    return { kind: 'overloaded', retryAfterMs: null, unreachable: true };
  }
  if (text.startsWith('stream disconnected before completion')) return { kind: 'cut' };
  if (name === 'responseStreamDisconnected') return { kind: 'cut' };
  const network = ['httpConnectionFailed', 'responseStreamConnectionFailed', 'responseTooManyFailedAttempts'];
  return network.includes(name) ? { kind: 'overloaded', retryAfterMs: null } : null;
}

/** Reads the wait from "rate limit exceeded: try again in 1.5s". */
function retryAfter(text: string): number | null {
  const seconds = /try again in (\d+(?:\.\d+)?)\s?s\b/.exec(text)?.[1];
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000);
}

/** Reads `"other"`, or one key with an object: `{"httpConnectionFailed": {"httpStatusCode": 401}}`. */
function readInfo(info: unknown): { readonly name: string; readonly status: number | null } {
  const read = infoSchema.safeParse(info).data ?? 'other';
  if (typeof read === 'string') return { name: read, status: null };
  const [name = 'other', details] = Object.entries(read)[0] ?? [];
  return { name, status: statusSchema.safeParse(details).data?.httpStatusCode ?? null };
}

const infoSchema = z.union([z.string(), z.record(z.string(), z.unknown())]);
const statusSchema = z.looseObject({ httpStatusCode: z.number().nullish() });
