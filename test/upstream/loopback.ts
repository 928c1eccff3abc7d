/** What the scripted servers have in common: a port on loopback, whole request bodies, a wait for requests. */
import type { IncomingMessage, Server } from 'node:http';

export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Lets a test wait until so many requests have come. */
export function createArrivals() {
  let arrived = 0;
  const waiting = new Set<() => void>();
  return {
    look(count: number): void {
      arrived = count;
      for (const check of waiting) check();
    },
    until: (count: number): Promise<void> =>
      new Promise((resolve) => {
        const check = (): void => {
          if (arrived < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}
