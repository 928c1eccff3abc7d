import { once } from 'node:events';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { refuseLateRequests } from './late-requests.ts';

test('a request whose headers only waited for the server is refused if its body stays away', async () => {
  const headersTimeout = 150;
  const { accepted, client, answer } = await opened({ headersTimeout, requestTimeout: 0 });
  client.write('POST / HTTP/1.1\r\nhost: localhost\r\n');
  while (accepted.bytesRead === 0) await setImmediate();
  // These bytes are in the system when the server looks at the clock. Node reports the connection then, and not again.
  client.write('content-length: 5\r\n\r\n');
  const end = performance.now() + 1.3 * headersTimeout;
  while (performance.now() < end);
  expect(await answer).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
});

test('an answer that has begun gets no refusal of the next request into its text', async () => {
  const { client, answer } = await opened({}, (_request, response) => response.write('the first part'));
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(client, 'data');
  client.write('no request\r\n\r\n');
  expect(await answer).toMatch(/the first part\r\n$/);
});

test.each([
  ['no request\r\n\r\n', '400 Bad Request'],
  [
    `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
  ],
  [
    `POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
    '413 Payload Too Large',
  ],
])('what Node cannot read is refused by its status: %.20s', async (text, status) => {
  const { client, answer } = await opened({});
  client.write(text);
  expect(await answer).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
});

test('an answer that has ended is followed by the refusal of the next request', async () => {
  const { client, answer } = await opened({}, (_request, response) => response.end('whole'));
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(client, 'data');
  client.write('no request\r\n\r\n');
  expect(await answer).toMatch(/whole[^]*HTTP\/1\.1 400 /);
});

/** A connection to a server; `answer` resolves with all that it sends when it has closed the connection. */
async function opened(limits: ServerOptions, handler: RequestListener = (request) => request.resume()) {
  const server = createServer({ connectionsCheckingInterval: 10, ...limits }, handler);
  refuseLateRequests(server, 20);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const accepting = once(server, 'connection');
  const client = connect(address.port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const [accepted]: Socket[] = await accepting;
  if (accepted === undefined) throw new Error('no connection');
  let text = '';
  client.on('data', (chunk) => (text += String(chunk)));
  const answer = once(client, 'close').then(() => text);
  return { accepted, client, answer };
}
