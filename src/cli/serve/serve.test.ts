import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { collab } from '../command.test-helper.ts';
import { reviewed, changedRepository } from '../reviewed.test-helper.ts';

/** Starts a command that serves, and ends it after `use` got its first output. */
async function served(
  place: Parameters<typeof collab>[0],
  args: readonly string[],
  use: (printed: string) => Promise<void>,
) {
  const stop = new AbortController();
  let printed = '';
  const wrote = new EventEmitter();
  const first = once(wrote, 'first');
  const ended = collab(place, args, {
    signal: stop.signal,
    endedBy: () => (stop.signal.aborted ? 'SIGINT' : null),
    out(text) {
      printed += text;
      wrote.emit('first');
    },
  });
  await Promise.race([first, ended]);
  await use(printed);
  stop.abort(new Error('SIGINT'));
  return { ...(await ended), out: printed };
}

test('serve prints its address, answers, and ends with the exit code of the signal', async () => {
  const root = scratchFolder();
  const place = { root, env: { HOME: root } };
  const { code } = await served(place, ['serve', '--port', '0', '--json'], async (line) => {
    const { url } = JSON.parse(line);
    expect((await fetch(`${url}/healthz`)).status).toBeLessThan(500);
    const opened = await collab(place, ['open', '--no-browser']);
    expect(opened).toEqual({ code: 0, out: `${url}/#/\n`, err: '' });
  });
  expect(code).toBe(130);
});

test('open serves the page of a run itself if no server does', async () => {
  const repository = changedRepository();
  const { run } = await reviewed(repository);
  const { out } = await served(repository, ['open', '--no-browser'], async (address) => {
    expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#/c/[^/]+/r/${run}\n$`));
    // Without a build there is no page, but a server.
    expect((await fetch(address)).status).not.toBe(404);
  });
  expect(out.split('\n')).toHaveLength(2);
  expect((await collab(repository, ['open', 'nothing'])).code).toBe(2);
});

test.each([
  [['--port', '65536'], '--port needs a port, not "65536"'],
  [['--port', 'x'], '--port needs a port, not "x"'],
])('serve %j is refused', async (flags, message) => {
  const root = scratchFolder();
  const { code, out, err } = await collab({ root, env: { HOME: root } }, ['serve', ...flags]);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(`collab: ${message}`)]);
});
