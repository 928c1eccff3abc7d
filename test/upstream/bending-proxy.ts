/** A proxy on loopback in front of a scripted model server: it passes answers on as networks and gateways change them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen, readRequestText } from '../../src/system/loopback.ts';

/** A change to an answer. An empty one changes nothing. */
export interface Bend {
  /** Sends the body in pieces of so many bytes. */
  readonly pieceBytes?: number;
  /** Ends the connection within the first character of the body that has several bytes. */
  readonly cutsCharacter?: true;
  /** Added after each event of a stream. */
  readonly stranger?: string;
  /** An HTML page with status 200 in place of the answer. */
  readonly page?: string;
  /** Resets the connection in place of an answer. */
  readonly resets?: true;
}

export interface BendingProxy {
  readonly url: string;
  /** The changes to the next answers, one a request; the last one repeats. Takes effect with the next request. */
  bend(...next: readonly Bend[]): void;
  close(): Promise<void>;
}

export async function startBendingProxy(target: string): Promise<BendingProxy> {
  let bends: readonly Bend[] = [];
  const server = createServer((request, response) => {
    const [bend = {}, ...rest] = bends;
    if (rest.length > 0) bends = rest;
    // The script ends the connection, or the reader has left.
    pass(request, response, new URL(request.url ?? '', target), bend).catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    bend: (...next) => void (bends = next),
    close: () => closeServer(server),
  };
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  target: URL,
  { resets, page, ...bend }: Bend,
): Promise<void> {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  const { method = 'GET', headers } = request;
  const body = await readRequestText(request);
  if (resets === true) return void response.socket?.resetAndDestroy();
  const answer = await fetch(target, {
    method,
    headers: passedOn(Object.entries(headers)),
    signal: leaving.signal,
    ...(method === 'POST' ? { body } : {}),
  });
  if (page !== undefined) {
    await answer.arrayBuffer();
    response.writeHead(200, { 'content-type': 'text/html' });
    return void response.end(page);
  }
  response.writeHead(answer.status, passedOn([...answer.headers]));
  response.flushHeaders();
  for await (const chunk of answer.body ?? []) {
    if (!(await write(response, Buffer.from(chunk), bend))) return;
  }
  response.end();
}

/** All headers but those of one connection. */
function passedOn(
  headers: readonly (readonly [string, string | readonly string[] | undefined])[],
): Record<string, string> {
  const kept = headers.filter(([name]) => !ownHeaders.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

/** Returns false if the connection ends here. */
async function write(
  response: ServerResponse,
  chunk: Buffer,
  { pieceBytes = chunk.length, cutsCharacter, stranger }: Omit<Bend, 'resets' | 'page'>,
): Promise<boolean> {
  const long = cutsCharacter === true ? chunk.findIndex((byte) => byte >= 0xc0) : -1;
  const bytes = long === -1 ? chunk : chunk.subarray(0, long + 1);
  const sent =
    stranger === undefined
      ? bytes
      : Buffer.from(bytes.toString('utf8').replaceAll(/\r?\n\r?\n/g, (end) => `${end}${stranger}`));
  for (let at = 0; at < sent.length; at += pieceBytes) {
    if (!response.write(sent.subarray(at, at + pieceBytes))) await once(response, 'drain');
  }
  if (long === -1) return true;
  // The bytes must have left before the connection is torn down.
  if (response.writableNeedDrain) await once(response, 'drain');
  setImmediate(() => response.destroy());
  return false;
}
