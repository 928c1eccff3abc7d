import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { migrations } from '../../engine/postgres/migrations.ts';
import { announceServer } from '../../server/access/server-address.ts';
import { openServerFolder } from '../../server/access/server-folder.ts';
import { systemClock } from '../../system/clock.ts';
import { Deferred } from '../../system/deferred.ts';
import { collab, type SessionHow } from '../command.test-helper.ts';
import { scriptDatabase } from '../engine/scripted-database.test-helper.ts';
import { reviewed, changedRepository } from '../reviewed.test-helper.ts';

/** Starts a command that serves, and ends it after `use` got its first output. */
async function served(
  place: Parameters<typeof collab>[0],
  args: readonly string[],
  use: (printed: string) => Promise<void>,
  how: SessionHow = {},
) {
  const stop = new AbortController();
  let printed = '';
  const wrote = new EventEmitter();
  const first = once(wrote, 'first');
  const ended = collab(place, args, {
    signal: stop.signal,
    endedBy: () => (stop.signal.aborted ? 'SIGINT' : null),
    ...how,
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
    expect(await collab(place, ['open'])).toEqual({
      code: 0,
      out: `${url}/#/\n`,
      err: 'no browser found; open the address yourself\n',
    });
    for (const browser of ['xdg-open', 'open'])
      writeFileSync(join(root, browser), '#!/bin/sh\n', { mode: 0o755 });
    const seen = { root, env: { ...place.env, DISPLAY: ':7', PATH: `${root}:/usr/bin:/bin` } };
    expect(await collab(seen, ['open'])).toEqual(opened);
  });
  expect(code).toBe(130);
});

test('serve prints its address for people, and the grants that a server without tokens refuses', async () => {
  const root = scratchFolder();
  const place = { root, env: { HOME: root } };
  await collab(place, ['serve', 'token', 'create', '--tenant', 'acme', '--may', 'tool:Bash']);
  const { out, err } = await served(place, ['serve', '--port', '0'], async () => undefined);
  expect(out).toMatch(/^collab serves at http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(err).toContain(
    'collab: this server requires no token, so it refuses tool:Bash to acme: start it with --require-token to allow it\n',
  );
});

test('open shows a server at all addresses by one that a browser can open', async () => {
  const root = scratchFolder();
  const place = { root, env: { HOME: root } };
  const server = createServer((_request, response) => response.end('{"status":"ok"}')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const folder = openServerFolder({ home: join(root, '.collab'), env: place.env, clock: systemClock });
  announceServer(folder, `http://0.0.0.0:${port}`);
  expect((await collab(place, ['open', '--no-browser'])).out).toBe(`http://127.0.0.1:${port}/#/\n`);
});

const database = 'postgres://db/collab';

test('a server of a database says when it is lost, why it is not opened again, and when it is back', async () => {
  const root = scratchFolder();
  const place = { root, env: { HOME: root } };
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  /** Acts when the database is opened again, before it is as it was. */
  const faults = [() => migrations.length + 1, () => raise(new TypeError('a bug')), () => raise(full)];
  let isLost = false;
  const scripted = scriptDatabase({
    'max(number)': () => [{ newest: (isLost ? faults.shift()?.() : undefined) ?? migrations.length }],
  });
  const news: string[] = [];
  const back = new Deferred<void>();
  const flags = ['serve', '--port', '0', '--json', '--engine', database];
  const { code } = await served(
    place,
    flags,
    async (line) => {
      const { url } = JSON.parse(line);
      expect((await fetch(`${url}/api/health`)).status).toBe(200);
      isLost = true;
      scripted.breakConnections();
      await back.promise;
    },
    {
      clock: { ...systemClock, sleep: () => Promise.resolve() },
      err(text) {
        news.push(text);
        if (text.includes('is back')) back.resolve();
      },
    },
  );
  const told = news
    .join('')
    .split('\n')
    .filter((line) => /^(?:collab: | {2}\w)/.test(line));
  expect([code, scripted.opened, scripted.openConnections()]).toEqual([130, [database], 0]);
  expect(told).toEqual([
    'collab: the database is out of reach',
    `collab: The tables of the database are of version ${migrations.length + 1}; this collab knows ${migrations.length}`,
    '  Use the version of collab that migrated the database, or a newer one.',
    'collab: TypeError: a bug',
    expect.stringMatching(/^collab: .*the disk is full/),
    expect.stringMatching(/^ {2}Free disk space, /),
    'collab: the database is back',
  ]);
});

function raise(error: Error): never {
  throw error;
}

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
  const hint = 'use a number from 1 to 65535, or 0 for any free port';
  expect([code, out, err]).toEqual([2, '', `collab: ${message}\n  ${hint}\n`]);
});
