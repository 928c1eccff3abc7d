/** Many readers that open a connection in the same moment. */
import { connect, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { test } from '../place.ts';
import { serve } from './served.ts';

const most = Number(readIfLinux('/proc/sys/net/core/somaxconn') ?? 1024);

test('a burst of connections waits for a server that is busy, and none is refused', async ({
  place,
  expect,
}) => {
  const served = await serve(place);
  const { hostname, port } = new URL(served.url);
  // A stopped process accepts nothing: the system keeps the connections for it.
  process.kill(served.pid(), 'SIGSTOP');
  const sockets: Socket[] = [];
  const opened = Array.from(
    { length: Math.min(2000, most) },
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(Number(port), hostname, resolve);
        socket.on('error', reject);
        sockets.push(socket);
      }),
  );
  await Promise.all(opened);
  const answers = sockets.map(answerOf);
  for (const socket of sockets)
    socket.write(`GET /api/health HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: close\r\n\r\n`);
  process.kill(served.pid(), 'SIGCONT');
  const statuses = new Set((await Promise.all(answers)).map((text) => text.split('\r\n')[0]));
  expect(statuses.size).toBe(1);
  expect([...statuses][0]).toMatch(/^HTTP\/1\.1 \d{3} /);
  expect(served.stderr()).toBe('');
});

function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => (text += String(part)));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

function readIfLinux(path: string): string | null {
  return process.platform === 'linux' ? readFileSync(path, 'utf8') : null;
}
