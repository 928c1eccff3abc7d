import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
