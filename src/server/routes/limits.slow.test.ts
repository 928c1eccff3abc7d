import { on } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { base, executor, serveRuns } from '../served.test-helper.ts';

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

test('a request that waited for a busy server is answered, and refused only if its body stays away', async () => {
  // The connection waits for its turn without a byte: a busy machine must answer /api/health within the first limit.
  const limits = { headersTimeout: 1000, requestTimeout: 1060, connectionsCheckingInterval: 20 };
  const served = await serveRuns({ limits });
  const body = JSON.stringify({ user_input: 'Hello?', executor });
  const headers = `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  const port = Number(new URL(served.url('')).port);
  const answerAfterBlock = async (text: string): Promise<string> => {
    const { turn, answer } = await connectElsewhere(port, `${headers}connection: close\r\n\r\n${text}`);
    // The server accepts connections in their order.
    await served.open('/api/health');
    blockFor(limits.requestTimeout + 2 * limits.connectionsCheckingInterval, turn);
    return answer;
  };
  expect(await answerAfterBlock(body)).toMatch(/^HTTP\/1\.1 200 [^]*event: done/);
  expect(await answerAfterBlock(body.slice(0, 9))).toMatch(/^HTTP\/1\.1 408 /);
});

test('a request that is none, and headers that are too large, are refused as before', async () => {
  const served = await serveRuns();
  const port = Number(new URL(served.url('')).port);
  expect(await answerTo(port, 'no request\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const large = `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`;
  expect(await answerTo(port, large)).toMatch(/^HTTP\/1\.1 431 /);
});

interface Elsewhere {
  /** 0: the other thread waits; 1: it sends; 2: it has sent. */
  readonly turn: Int32Array;
  readonly answer: Promise<string>;
}

/** Connects from another thread, which sends the text while this one is blocked. */
async function connectElsewhere(port: number, text: string): Promise<Elsewhere> {
  const turn = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(sender, { eval: true, workerData: { port, text, turn } });
  const messages = on(worker, 'message');
  await messages.next();
  const answer = messages.next().then(async ({ value: [received] }) => {
    await worker.terminate();
    return String(received);
  });
  return { turn, answer };
}

const sender = `
const { parentPort, workerData: { port, text, turn } } = require('node:worker_threads');
const socket = require('node:net').connect(port, '127.0.0.1', () => parentPort.postMessage('connected'));
let answer = '';
socket.on('data', (chunk) => (answer += chunk));
socket.on('close', () => parentPort.postMessage(answer));
Atomics.waitAsync(turn, 0, 0).value.then(() =>
  socket.write(text, () => {
    Atomics.store(turn, 0, 2);
    Atomics.notify(turn, 0);
  }),
);
`;

/** Blocks this thread until the other one has sent its text, and for as long as the limits allow. */
function blockFor(ms: number, turn: Int32Array): void {
  Atomics.store(turn, 0, 1);
  Atomics.notify(turn, 0);
  Atomics.wait(turn, 0, 1);
  const end = performance.now() + ms;
  while (performance.now() < end);
}

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
