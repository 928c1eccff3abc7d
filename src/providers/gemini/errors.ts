/** Maps errors of the SDK to the ways a turn can end. Its error contains the API's whole answer as text. */
import { z } from 'zod';
import { modelFailure, faultOfStatus, type ApiFault, type FaultName } from '../api/api-fault.ts';
import type { ModelFailure } from '../contract/model.ts';

export interface GeminiFault extends ApiFault {
  /** From `RetryInfo` and `QuotaFailure` in the details of the answer. */
  readonly retryAfterMs: number | null;
  readonly isDaily: boolean;
}

/** Reads an error. `opened`: the stream had started when it broke. */
export function readFault({
  error,
  opened,
}: {
  readonly error: unknown;
  readonly opened: boolean;
}): GeminiFault {
  const message = error instanceof Error ? error.message : String(error);
  const { status } = z.object({ status: z.number() }).safeParse(error).data ?? {};
  const told = status === undefined ? undefined : bodyIn(message);
  const details = told?.details ?? [];
  const delay = details.map(({ retryDelay }) => retryDelay).find((text) => typeof text === 'string');
  return {
    status,
    type:
      details.map(({ reason }) => reason).find((reason) => typeof reason === 'string') ??
      told?.status ??
      null,
    message: told?.message ?? message,
    headers: undefined,
    unreachable: status === undefined && !opened,
    retryAfterMs: delay === undefined || delay === null ? null : Math.ceil(Number.parseFloat(delay) * 1000),
    isDaily: details.some(({ violations }) =>
      violations?.some(({ quotaId }) => /PerDay/.test(quotaId ?? '')),
    ),
  };
}

const text = z.string().nullish().catch(null);
const bodySchema = z.object({
  error: z.looseObject({
    message: z.string(),
    status: text,
    details: z
      .array(
        z.looseObject({
          reason: text,
          retryDelay: text,
          violations: z
            .array(z.looseObject({ quotaId: text }))
            .nullish()
            .catch(null),
        }),
      )
      .nullish()
      .catch(null),
  }),
});

/** Finds the body in an error message; in a stream, the SDK's own text precedes it. */
function bodyIn(message: string): z.infer<typeof bodySchema>['error'] | undefined {
  try {
    return bodySchema.safeParse(JSON.parse(message.slice(message.indexOf('{')))).data?.error;
  } catch {
    return undefined;
  }
}

export function classifyFault(fault: GeminiFault, now: number): ModelFailure {
  const { retryAfterMs } = fault;
  return modelFailure(nameOf(fault), fault, { provider: 'gemini', vendor: 'Gemini', now, retryAfterMs });
}

function nameOf({ status, type, message, isDaily }: GeminiFault): FaultName {
  if (status === undefined) return 'cut';
  if (status === 400) return badRequest(type, message);
  // A daily limit is longer than any caller waits.
  if (status === 429 && (isDaily || /billing|prepay/i.test(message))) return 'quota';
  return faultOfStatus(status);
}

/** Classifies a 400, which an invalid key also gets. */
function badRequest(type: string | null, message: string): FaultName {
  if (type === 'API_KEY_INVALID' || /api key (?:not valid|expired)/i.test(message)) return 'auth';
  return /token count.{0,40}exceeds|exceeds the maximum number of tokens/i.test(message)
    ? 'context'
    : 'options';
}
