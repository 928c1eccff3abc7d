/** A client that sends exact bytes and normalizes nothing. */
import { request } from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Resolves with everything received until the connection ended. The path is sent as it is. */
export function sendRaw(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, headers: { ...headers }, agent: false },
      (response) => {
        let text = '';
        const done = (): void =>
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', done);
        // If the connection is cut, the part received so far counts.
        response.on('error', done);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends exactly these bytes; resolves with everything that came until the server closed the connection. */
export function sendBytes(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
}
