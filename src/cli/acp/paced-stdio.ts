/**
 * The connection over standard input and output, paced by the reader at the other end: while it takes nothing, only a few more
 * of its messages are read, so that answers to it do not pile up.
 */
import type { Readable, Writable } from 'node:stream';
import { ndJsonStream, type AnyMessage, type Stream } from '@agentclientprotocol/sdk';
import { Deferred } from '../../system/deferred.ts';

/** Messages that are read while an answer waits to be taken; a cancellation may be among them. */
const mostAhead = 64;

export function createPacedStream(input: Readable, output: Writable): Stream {
  const pace = { writing: 0, ahead: 0, idle: new Deferred<void>() };
  /** The SDK reads bytes as fast as they come: they are handed out when all messages before them were taken. */
  const hunger = { told: new Deferred<void>() };

  function written(): void {
    pace.writing -= 1;
    // The connection begins its next write before this runs, if it has one.
    setImmediate(() => {
      if (pace.writing > 0) return;
      pace.ahead = 0;
      pace.idle.resolve();
      pace.idle = new Deferred();
    });
  }

  const bytesOut = new WritableStream<Uint8Array>({
    write: (bytes) =>
      new Promise<void>((resolve, reject) => {
        pace.writing += 1;
        output.write(bytes, (error) => {
          written();
          if (error) reject(error);
          else resolve();
        });
      }),
  });
  const chunks: AsyncIterator<Uint8Array> = input[Symbol.asyncIterator]();
  const bytesIn = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await hunger.told.promise;
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void input.destroy(),
    },
    { highWaterMark: 0 },
  );

  const { readable, writable } = ndJsonStream(bytesOut, bytesIn);
  const messages = readable.getReader();
  return {
    writable,
    readable: new ReadableStream<AnyMessage>(
      {
        async pull(controller) {
          if (pace.ahead >= mostAhead && pace.writing > 0) await pace.idle.promise;
          hunger.told.resolve();
          const { done, value } = await messages.read();
          hunger.told = new Deferred();
          pace.ahead += 1;
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => messages.cancel(reason),
      },
      { highWaterMark: 0 },
    ),
  };
}
