import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { collab } from '../command.test-helper.ts';
import { version } from '../../version.ts';

/** The command at pipes of this process: what the caller writes, and what it reads. */
function atPipes() {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  // oxlint-disable-next-line no-unsafe-type-assertion -- what a server reads of a pipe
  const input = stdin as unknown as NodeJS.ReadStream & { readonly fd: 0 };
  // oxlint-disable-next-line no-unsafe-type-assertion -- what a server writes to a pipe
  const output = stdout as unknown as NodeJS.WriteStream & { readonly fd: 1 };
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(input),
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(output),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return { stdin: input, type: (text: string) => stdin.write(text), stdout };
}

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'caller', version: '1' } },
};

test.each(['end', 'signal'])(
  'the server answers its caller, reports a broken line, and ends on its %s',
  async (how) => {
    const root = scratchFolder();
    const { stdin, type, stdout } = atPipes();
    const stop = new AbortController();
    const ended = collab({ root, env: { HOME: root } }, ['mcp'], {
      stdin,
      signal: stop.signal,
    });
    type('{"id": 1}\n');
    type(`${JSON.stringify(hello)}\n`);
    const [answer] = await once(stdout, 'data');
    expect(JSON.parse(String(answer))).toMatchObject({
      id: 1,
      result: { serverInfo: { name: 'collab', version } },
    });
    if (how === 'end') stdin.push(null);
    else stop.abort();
    const { code, out, err } = await ended;
    expect([code, out]).toEqual([0, '']);
    expect(err).toMatch(/^mcp: \[\n[^]*"message": "Invalid input"\n {2}\}\n\]\n$/);
  },
);
