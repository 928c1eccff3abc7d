import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { base, serveRuns } from '../served.test-helper.ts';

const head = `POST ${base('first')}/stream HTTP/1.1\r\nhost: localhost\r\n`;

test('a request with unfinished headers is ended, and so is one with an unfinished body', async () => {
  const limits = { headersTimeout: 60, requestTimeout: 120, connectionsCheckingInterval: 20 };
  const served = await serveRuns({ limits });
  const port = Number(new URL(served.url('')).port);
  expect(await answerTo(port, head)).toMatch(/^HTTP\/1\.1 408 /);
  const half = `${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"user_input":`;
  expect(await answerTo(port, half)).toMatch(/^HTTP\/1\.1 408 /);
  expect((await served.open('/api/health')).response.status).toBe(200);
});

/** Returns everything received until the server closes the connection, without sending more. */
function answerTo(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
