import { createServer } from 'node:http';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { announceServer, findServer } from './server-address.ts';

test('a server that answers is found by its file, until it removes it', async () => {
  const folder = { path: scratchFolder(), key: 'key' };
  expect(await findServer(folder)).toBeNull();
  const url = await serverThatAnswers('{"status":"ok"}');
  const withdraw = announceServer(folder, url);
  expect(JSON.parse(readFileSync(fileIn(folder), 'utf8'))).toEqual({
    schema: 'collab.server/v1',
    url,
    pid: process.pid,
  });
  expect(await findServer(folder)).toBe(url);
  withdraw();
  expect(existsSync(fileIn(folder))).toBe(false);
  withdraw();
});

test('the file of a later server stays', () => {
  const folder = { path: scratchFolder(), key: 'key' };
  const withdraw = announceServer(folder, 'http://127.0.0.1:1');
  announceServer(folder, 'http://127.0.0.1:2');
  withdraw();
  expect(existsSync(fileIn(folder))).toBe(true);
});

test('another program at the address is no server, and neither is a port without one', async () => {
  const folder = { path: scratchFolder(), key: 'key' };
  for (const answer of ['{"status":"starting"}', '{}', '<html>']) {
    announceServer(folder, await serverThatAnswers(answer));
    expect(await findServer(folder)).toBeNull();
  }
  announceServer(folder, 'http://127.0.0.1:1');
  expect(await findServer(folder)).toBeNull();
});

test.each([
  ['is damaged', '{"torn'],
  ['has another schema', { schema: 'collab.server/v2' }],
  ['has no address', { url: 'port 80' }],
  ['has no process', { pid: 0 }],
])('a file that %s names no server', async (_fault, change) => {
  const folder = { path: scratchFolder(), key: 'key' };
  const sound = { schema: 'collab.server/v1', url: await serverThatAnswers('{"status":"ok"}'), pid: 1 };
  writeFileSync(fileIn(folder), JSON.stringify(sound));
  expect(await findServer(folder)).toBe(sound.url);
  writeFileSync(
    fileIn(folder),
    typeof change === 'string' ? change : JSON.stringify({ ...sound, ...change }),
  );
  expect(await findServer(folder)).toBeNull();
});

function fileIn({ path }: { readonly path: string }): string {
  return join(path, 'server.json');
}

async function serverThatAnswers(text: string): Promise<string> {
  const server = createServer(({ url }, response) => response.end(url === '/api/health' ? text : ''));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}
