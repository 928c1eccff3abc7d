import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { openServerFolder } from '../../server/access/server-folder.ts';
import { systemClock } from '../../system/clock.ts';
import { keepServer } from './keep-server.ts';

test('a server that stops is no longer found, while its last answers end', async () => {
  const home = scratchFolder();
  const env = { HOME: home, COLLAB_HOME: home };
  const { path } = openServerFolder({ home, env, clock: systemClock });
  const isFound = () => existsSync(join(path, 'server.json'));
  const ending = new AbortController();
  const found: boolean[] = [];
  const server = {
    url: 'http://127.0.0.1:8765',
    stop: () => Promise.resolve(void found.push(isFound())),
  };
  const session = {
    cwd: home,
    env,
    clock: systemClock,
    signal: ending.signal,
    endedBy: () => 'SIGINT' as const,
  };
  const kept = keepServer(session, server, () => found.push(isFound()));
  ending.abort();
  expect(await kept).toBe(130);
  expect(found).toEqual([true, false]);
});

/** Keeps a server that notes its stop, until it is found. */
function keep(session: Partial<Parameters<typeof keepServer>[0]>) {
  const noted: string[] = [];
  const ending = new AbortController();
  const server = { url: 'http://127.0.0.1:8765', stop: () => Promise.resolve(void noted.push('stopped')) };
  const given = {
    cwd: '/',
    env: {},
    clock: systemClock,
    signal: ending.signal,
    endedBy: () => null,
    ...session,
  };
  const kept = keepServer(given, server, () => {
    noted.push('found');
    ending.abort();
  });
  return { kept, noted };
}

test('without a private folder a server is kept, too; one that no signal ended has passed', async () => {
  const cwd = scratchFolder();
  vi.stubEnv('TMPDIR', '/proc');
  const { kept, noted } = keep({ cwd, env: { HOME: '/proc' } });
  expect([await kept, noted]).toEqual([0, ['found', 'stopped']]);
});

test('another fault of the address is thrown', async () => {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, '.git'));
  const { kept, noted } = keep({ cwd, env: { HOME: cwd, COLLAB_HOME: join(cwd, 'runs') } });
  await expect(kept).rejects.toMatchObject({ code: 'options' });
  expect(noted).toEqual([]);
});

test('a server is stopped, too, if its address cannot be shown', async () => {
  const home = scratchFolder();
  const stopped: string[] = [];
  const server = { url: 'http://127.0.0.1:8765', stop: () => Promise.resolve(void stopped.push('stopped')) };
  const session = {
    cwd: home,
    env: { HOME: home },
    clock: systemClock,
    signal: new AbortController().signal,
    endedBy: () => null,
  };
  await expect(keepServer(session, server, () => Promise.reject(new Error('no output')))).rejects.toThrow(
    'no output',
  );
  expect(stopped).toEqual(['stopped']);
});
