/** Sends spans to a collector: to the named address alone, once, without following a redirect. */
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { inShort } from '../../text/in-short.ts';
import { onOneLine } from '../../text/one-line.ts';
import { parseJson } from '../../text/parse-json.ts';

const example = 'http://127.0.0.1:4318/v1/traces';
const limitMs = 30_000;
const mostWords = 200;

/** @throws CollabError `usage` */
export function collectorAddress(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : null;
  if (address === null || !['http:', 'https:'].includes(address.protocol)) {
    throw new CollabError('usage', `--otlp wants an address with http:// or https://, not ${text}`, {
      hint: `for example --otlp ${example}`,
    });
  }
  if (address.username !== '' || address.password !== '') {
    throw new CollabError('usage', '--otlp takes no user and no password in the address', {
      hint: `for example --otlp ${example}`,
    });
  }
  return address;
}

/** The address as it may be printed: without its query. */
export function shownAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** @throws CollabError `network` if the collector does not accept all spans */
export async function sendTrace(address: URL, body: object, signal: AbortSignal): Promise<void> {
  const { status, text } = await post(address, body, signal);
  if (status < 200 || status > 299) {
    throw refusal(address, `answered ${status}${inWords(text)}`, {
      hint: `check that the address accepts OTLP/HTTP JSON; a collector listens at ${example}`,
    });
  }
  const { rejectedSpans, errorMessage } = partialSuccess(text);
  if (rejectedSpans > 0) throw refusal(address, `rejected ${rejectedSpans} spans${inWords(errorMessage)}`);
}

async function post(address: URL, body: object, signal: AbortSignal) {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw refusal(address, 'cannot be reached', {
      cause,
      hint: 'check the address, and that a collector listens there',
    });
  }
}

function refusal(
  address: URL,
  what: string,
  options: { readonly cause?: unknown; readonly hint?: string } = {},
): CollabError {
  return new CollabError('network', `The collector at ${shownAddress(address)} ${what}`, options);
}

/** A collector may accept only some spans, with status 200. */
const answerSchema = z.looseObject({
  partialSuccess: z
    .looseObject({ rejectedSpans: z.coerce.number().nullish(), errorMessage: z.string().nullish() })
    .nullish(),
});

function partialSuccess(text: string): { readonly rejectedSpans: number; readonly errorMessage: string } {
  const partial = answerSchema.safeParse(parseJson(text)).data?.partialSuccess;
  return { rejectedSpans: partial?.rejectedSpans ?? 0, errorMessage: partial?.errorMessage ?? '' };
}

function inWords(text: string): string {
  const words = inShort(onOneLine(text), mostWords);
  return words === '' ? '' : `: ${words}`;
}
