/** Sends a request byte for byte, and reads its answer; of an event stream, only the beginning. */
import { request as httpRequest } from 'node:http';
import type { GivenAnswer } from './documented-api.ts';
import type { DrawnBody } from './drawn-body.ts';

export interface SentRequest {
  readonly method: string;
  /** Path and query, as they are written on the wire. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Pick<DrawnBody, 'type' | 'bytes' | 'announced'> | null;
}

/** The time after which a request without an answer counts as one that hangs. */
const longestMs = 30_000;

/** @param until how much of an event stream is read; absent: nothing */
export function sendRequest(port: number, sent: SentRequest, until?: RegExp): Promise<GivenAnswer> {
  const { method, path, headers, body } = sent;
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { ...headers, ...bodyHeaders(body) },
      agent: false,
    });
    const late = setTimeout(() => end(new Error('no answer: the request hangs')), longestMs);
    const end = (result: GivenAnswer | Error): void => {
      clearTimeout(late);
      outgoing.destroy();
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    outgoing.on('error', end);
    outgoing.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      const type = response.headers['content-type']?.split(';', 1)[0]?.trim() ?? '';
      const isStream = type === 'text/event-stream';
      if (isStream && until === undefined) return end({ status, type, text: '' });
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (isStream && until?.test(text) === true) end({ status, type, text });
      });
      response.on('error', end);
      return response.on('end', () => end({ status, type, text }));
    });
    outgoing.end(body?.bytes ?? undefined);
  });
}

function bodyHeaders(body: SentRequest['body']): Readonly<Record<string, string>> {
  if (body === null) return {};
  const length = body.announced ?? body.bytes?.length;
  return {
    ...(body.type === null ? {} : { 'content-type': body.type }),
    // Without a length the body is sent in chunks.
    ...(length === undefined || (body.announced === undefined && length > 4096)
      ? {}
      : { 'content-length': String(length) }),
  };
}
