import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../test/fixtures/is-alive.ts';
import { startServer, type ServerProcess, type ServerProcessOptions } from './start-server.ts';

const programs = resolve(import.meta.dirname, '../../test/fixtures/bin');

function program(name: string, ...args: readonly string[]): ServerProcessOptions {
  return {
    file: process.execPath,
    args: [join(programs, `${name}.mjs`), ...args],
    cwd: programs,
    env: { PATH: process.env['PATH'] ?? '' },
  };
}

/** `Z`: it has ended, and this process does not know yet. */
function stateOf(pid: number): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}

async function started(
  options: ServerProcessOptions,
): Promise<ServerProcess & { readonly next: () => Promise<string> }> {
  const result = await startServer(options);
  if (!result.started) throw new Error(result.failure);
  const lines = result.server.lines[Symbol.asyncIterator]();
  return { ...result.server, next: async () => String((await lines.next()).value) };
}

test('lines are sent and received while the input stays open', async () => {
  const server = await started(program('server-echoes'));
  expect(await server.next()).toBe(`pid ${server.pid}`);
  server.write('{"a":1}');
  server.write('漢字\u{2028}end');
  expect([await server.next(), await server.next()]).toEqual(['{"a":1}', '漢字\u{2028}end']);
  expect(await server.stop()).toEqual({ exitCode: 0, signal: null, stderr: '' });
  expect(isAlive(server.pid)).toBe(false);
});

test('a stopped server ends while this process goes on without a pause', async () => {
  const server = await started(program('server-echoes'));
  await server.next();
  const stopping = server.stop();
  const end = performance.now() + 20_000;
  // Promises alone: what Node does between them has no turn.
  while (stateOf(server.pid) !== 'Z' && performance.now() < end) await Promise.resolve();
  expect(stateOf(server.pid)).toBe('Z');
  await stopping;
});

test('a server that ignores the end of its input gets SIGTERM', async () => {
  const server = await started({ ...program('server-ignores-end'), termAfterMs: 300 });
  await server.next();
  expect(await server.stop()).toEqual({ exitCode: null, signal: 'SIGTERM', stderr: 'input ended\n' });
});

test('a server that ignores SIGTERM is killed; stopping twice is one stop', async () => {
  const server = await started({
    ...program('server-ignores-end', '--stubborn'),
    termAfterMs: 300,
    killAfterMs: 800,
  });
  await server.next();
  const endings = await Promise.all([server.stop(), server.stop()]);
  const ending = { exitCode: null, signal: 'SIGKILL', stderr: 'input ended\nnot yet\n' };
  expect(endings).toEqual([ending, ending]);
});

test('a server that dies by itself reports how, and writing to it is harmless', async () => {
  const server = await started(program('server-dies'));
  expect([await server.next(), await server.next()]).toEqual(['whole', 'half']);
  expect(await server.ended).toEqual({ exitCode: 7, signal: null, stderr: 'out of luck\n' });
  server.write('anyone there?');
  expect(await server.stop()).toEqual(await server.ended);
});

test('a missing program is distinguished from a missing folder', async () => {
  const options = { ...program('server-dies'), file: join(programs, 'no-such-program'), args: [] };
  expect(await startServer(options)).toEqual({ started: false, failure: 'ENOENT', missing: true });
  const lost = { ...program('server-dies'), cwd: join(tmpdir(), 'collab-no-such-folder') };
  expect(await startServer(lost)).toEqual({ started: false, failure: 'ENOENT', missing: false });
});

test('the death of the parent ends the server through the pipe', async () => {
  const parent = await started(
    program('server-parent', process.execPath, join(programs, 'server-echoes.mjs')),
  );
  const pid = Number.parseInt((await parent.next()).slice('pid '.length), 10);
  expect(isAlive(pid)).toBe(true);
  process.kill(parent.pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  await parent.stop();
});

test('arguments that the system rejects are a failure with its code', async () => {
  const result = await startServer(program('server-echoes', 'x'.repeat(200_000)));
  expect(result).toEqual({ started: false, failure: 'E2BIG', missing: false });
});
