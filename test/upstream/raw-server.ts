/** A server on loopback that answers a request to `/<key>/…` with exactly the bytes that were set for the key. */
import { createServer } from 'node:http';
import { closeServer, listen } from '../../src/system/loopback.ts';

export interface RawAnswer {
  readonly status?: number;
  readonly contentType: string;
  /** Written one after another. */
  readonly pieces: readonly (string | Uint8Array)[];
}

export interface RawUpstream {
  /** Sets the answer of a new address and returns the address. */
  answerAt(answer: RawAnswer): string;
  close(): Promise<void>;
}

export async function startRawUpstream(): Promise<RawUpstream> {
  const answers: RawAnswer[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const answer = answers[Number(request.url?.split('/')[1])];
    if (answer === undefined) throw new Error(`no answer for ${String(request.url)}`);
    response.writeHead(answer.status ?? 200, { 'content-type': answer.contentType });
    for (const piece of answer.pieces) response.write(piece);
    response.end();
  });
  const port = await listen(server);
  return {
    answerAt(answer) {
      answers.push(answer);
      return `http://127.0.0.1:${String(port)}/${String(answers.length - 1)}`;
    },
    close: () => closeServer(server),
  };
}

/** Returns the server-sent events of these values; `event` names the type as Anthropic's API and the Responses API do. */
export function eventStream(values: readonly unknown[]): RawAnswer {
  const pieces = values.map((value) => {
    const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
    const name = type === undefined ? '' : `event: ${typeof type === 'string' ? type : 'unknown'}\n`;
    return `${name}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
  });
  return { contentType: 'text/event-stream', pieces };
}

export function jsonAnswer(value: unknown): RawAnswer {
  return { contentType: 'application/json', pieces: value === undefined ? [] : [JSON.stringify(value)] };
}
