import { createServer, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '../../src/system/loopback.ts';

/**
 * A proxy to a server that cuts connections: each of the next ones after so many bytes from the server, later ones
 * never. It ends with the test.
 */
export async function cuttingProxy(target: string): Promise<{
  readonly url: string;
  readonly cutAfter: (bytes: readonly number[]) => void;
  readonly broken: () => number;
}> {
  const open = new Set<Socket>();
  let limits: readonly number[] = [];
  let broken = 0;

  const server = createServer((near) => {
    const [limit = Infinity, ...rest] = limits;
    limits = rest;
    const far = connect(Number(new URL(target).port), '127.0.0.1');
    let carried = 0;
    far.on('data', (chunk: Buffer) => {
      const left = limit - carried;
      carried += chunk.length;
      near.write(chunk.subarray(0, left));
      if (chunk.length < left) return;
      broken += 1;
      far.destroy();
      near.end();
    });
    near.pipe(far);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        open.delete(socket);
      });
    }
  });
  const port = await listen(server);
  const close = () => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    cutAfter(bytes) {
      limits = bytes;
      close();
    },
    broken: () => broken,
  };
}
