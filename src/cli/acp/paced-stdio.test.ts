/** The pace of the connection: what a reader at the other end does not take is not answered without end. */
import { PassThrough, Writable } from 'node:stream';
import { agent, methods } from '@agentclientprotocol/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { createPacedStream } from './paced-stdio.ts';

const request = (id: number): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'session/list', params: {} })}\n`;
const initialize = `${JSON.stringify({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: { protocolVersion: 1 } })}\n`;

/** A client that writes without end, and takes an answer when the test says so. */
function connected() {
  const input = new PassThrough();
  const taken: string[] = [];
  let take: (() => void) | null = null;
  const isTaking = { always: true };
  const output = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      taken.push(chunk.toString());
      if (isTaking.always) done();
      else take = done;
    },
  });
  const served = { requests: 0, cancelled: 0 };
  const connection = agent({ name: 'a' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
    .onRequest(methods.agent.session.list, () => {
      served.requests += 1;
      return { sessions: [] };
    })
    .onNotification(methods.agent.session.cancel, () => {
      served.cancelled += 1;
    })
    .connect(createPacedStream(input, output));
  onTestFinished(() => connection.close());
  return {
    input,
    taken,
    served,
    connection,
    stop: () => (isTaking.always = false),
    /** Takes one answer. */
    take: () => {
      const done = take;
      take = null;
      done?.();
    },
    takeAll: () => {
      isTaking.always = true;
      take?.();
    },
  };
}

/** Lets everything happen that needs no time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

test('while no answer is taken, only a few more messages are read; afterwards each is answered once', async () => {
  const end = connected();
  end.input.write(initialize);
  await expect.poll(() => end.taken.length).toBe(1);
  end.stop();
  const count = 3000;
  for (let id = 0; id < count; id += 1) end.input.write(request(id));
  await settle();
  const { requests } = end.served;
  expect(requests).toBeGreaterThan(0);
  expect(requests).toBeLessThan(150);
  // Taking a single answer does not open the door for thousands.
  for (let taken = 0; taken < 10; taken += 1) {
    end.take();
    await settle();
  }
  expect(end.served.requests).toBeLessThan(300);
  end.takeAll();
  await expect.poll(() => end.taken.length, { timeout: 25_000 }).toBe(count + 1);
  const ids = end.taken.slice(1).map((line) => Number(JSON.parse(line).id));
  expect(ids).toEqual(Array.from({ length: count }, (_, id) => id));
});

test('a cancellation arrives while an answer waits to be taken', async () => {
  const end = connected();
  end.input.write(initialize);
  await expect.poll(() => end.taken.length).toBe(1);
  end.stop();
  end.input.write(request(1) + request(2));
  end.input.write(
    `${JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'x' } })}\n`,
  );
  await expect.poll(() => end.served.cancelled).toBe(1);
});

test('lines that are no messages are refused one by one, and the connection stays open', async () => {
  const end = connected();
  end.input.write(initialize);
  for (const line of [
    '{',
    '[]',
    '7',
    '"x"',
    'null',
    '{}',
    '{"id":1}',
    '{"method":7}',
    '\u0000\u00ff',
    '',
    '{"jsonrpc":"1.0"}',
  ]) {
    end.input.write(`${line}\n`);
  }
  end.input.write(Buffer.from([0xff, 0xfe, 0x0a]));
  end.input.write(request(5));
  await expect.poll(() => end.taken.at(-1)).toContain('"id":5');
  const answers = end.taken.map((line) => JSON.parse(line)).filter(({ id }) => id !== 'i' && id !== 5);
  expect(answers.length).toBeGreaterThan(7);
  for (const { error } of answers) expect(error.code).toBeLessThan(-32_599);
  expect(end.connection.signal.aborted).toBe(false);
});

test('the connection closes when the input ends, when the output breaks, and when it is closed', async () => {
  const ended = connected();
  ended.input.end();
  await ended.connection.closed;

  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  broken.on('error', () => undefined);
  const input = new PassThrough();
  const connection = agent({ name: 'a' }).connect(createPacedStream(input, broken));
  input.write(request(1));
  await connection.closed;

  const closed = connected();
  closed.connection.close();
  await expect.poll(() => closed.input.destroyed).toBe(true);
});
