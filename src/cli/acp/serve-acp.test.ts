import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { sessionIn, type SessionHow } from '../command.test-helper.ts';
import { serveAcp } from './serve-acp.ts';

function serve(how: SessionHow = {}) {
  const root = scratchFolder();
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let written = '';
  stdout.on('data', (chunk) => (written += chunk));
  // oxlint-disable-next-line no-unsafe-type-assertion -- what the server uses of standard output
  const spy = vi.spyOn(process, 'stdout', 'get').mockReturnValue(stdout as never);
  onTestFinished(() => spy.mockRestore());
  // oxlint-disable-next-line no-unsafe-type-assertion -- what the server reads of a pipe
  const { session } = sessionIn({ root, env: { HOME: root } }, { stdin: stdin as never, ...how });
  const served = serveAcp(session, () => null);
  const send = (id: number, method: string, params: object): void =>
    void stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  return { root, stdin, served, send, written: () => written };
}

test('it answers on standard output until the editor closes its end', async () => {
  const { root, stdin, served, send, written } = serve();
  send(1, 'initialize', { protocolVersion: 1 });
  send(2, 'session/new', { cwd: root, mcpServers: [] });
  await expect.poll(written).toContain('available_commands_update');
  const answers = written()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id)).toEqual([1, 2, undefined]);
  stdin.end();
  expect(await served).toBe(0);
});

test('a signal closes the connection, and ends the process with its exit code', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  onTestFinished(() => exit.mockRestore());
  const stop = new AbortController();
  const { served, send, written } = serve({ signal: stop.signal, endedBy: () => 'SIGTERM' });
  send(1, 'initialize', { protocolVersion: 1 });
  await expect.poll(written).toContain('"id":1');
  stop.abort();
  await expect(served).rejects.toThrow('exit 143');
});

test('a signal before the first message is enough', async () => {
  expect(await serve({ signal: AbortSignal.abort() }).served).toBe(0);
});
