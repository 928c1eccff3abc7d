import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCommand } from '../../src/cli/program.ts';
import { browserCommand } from '../../src/system/platform.ts';
import { rehearse, wholeAnswer } from '../../src/runs/rehearsed-review.test-helper.ts';
import { scratchFolder } from '../fixtures/scratch-repository.ts';
import { sessionIn } from './served-folder.ts';

test('the page of a run is opened by the server that is already running', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }] });
  await review.drive();
  const place = folderOf(review.cwd);
  const server = begin(place, ['serve', '--port', '0']);
  await expect.poll(server.said).toMatch(/^collab serves at http:\S+\n$/);
  const url = server.said().trim().split(' ').at(-1);
  const run = basename(review.runFolder);
  const opened = begin(place, ['open', run.slice(-4), '--no-browser']);
  expect(await opened.ended).toBe(0);
  expect(opened.said()).toBe(`${url}/#/c/${run}/r/${run}\n`);
  await expect(begin(place, ['open', 'zzzz', '--no-browser']).ended).rejects.toMatchObject({
    code: 'run_not_found',
  });
  server.stop();
  expect(await server.ended).toBe(0);
});

test('without a running server, or if it was killed, one is started for it and stopped with it', async () => {
  const place = folderOf(scratchFolder());
  const first = begin(place, ['open', '--no-browser']);
  await expect.poll(first.said).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/\n$/);
  const url = first.said().split('/#/', 1)[0] ?? '';
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
  first.stop();
  expect(await first.ended).toBe(0);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow('fetch failed');
  const second = begin(place, ['open', '--no-browser']);
  await expect.poll(second.said).toMatch(/^http:/);
  expect(second.said()).not.toContain(url);
  second.stop();
  await second.ended;
});

test.skipIf(process.platform !== 'linux')(
  'the browser gets the address; without one the address is printed',
  async () => {
    const root = scratchFolder();
    const [programs, seen] = [join(root, 'bin'), join(root, 'seen')];
    mkdirSync(programs);
    writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${seen}'\n`);
    chmodSync(join(programs, 'xdg-open'), 0o755);
    const place = folderOf(root);
    const env = { ...place.env, PATH: `${programs}:/usr/bin:/bin` };
    const shown = begin({ ...place, env: { ...env, DISPLAY: ':9' } }, ['open']);
    await expect.poll(() => existsSync(seen) && readFileSync(seen, 'utf8')).toMatch(/^http:\S+\/#\/$/);
    expect(shown.said()).toBe(`${readFileSync(seen, 'utf8')}\n`);
    const told = begin({ ...place, env }, ['open']);
    expect(await told.ended).toBe(0);
    expect([told.said(), told.complaints()]).toEqual([
      shown.said(),
      expect.stringContaining('no browser found'),
    ]);
    shown.stop();
    await shown.ended;
  },
);

test.each([
  ['linux', {}, null],
  ['linux', { DISPLAY: '' }, null],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
  ['darwin', {}, 'open'],
  ['win32', {}, 'rundll32'],
] as const)('on %s with %o the browser is shown by %s', (os, env, file) => {
  expect(browserCommand(env, { os, arch: 'x64' })?.file ?? null).toBe(file);
});

interface Folder {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

function folderOf(cwd: string): Folder {
  return { cwd, env: { PATH: '/usr/bin:/bin', HOME: cwd, XDG_STATE_HOME: scratchFolder() } };
}

/** A command in this process, ended with the test. */
function begin({ cwd, env }: Folder, args: readonly string[]) {
  const stopping = new AbortController();
  let [said, complaints] = ['', ''];
  const asked = readCommand(args);
  if (asked === null) throw new Error('no command');
  const ended = asked.action(
    sessionIn(cwd, env, {
      signal: stopping.signal,
      out: (text) => (said += text),
      err: (text) => (complaints += text),
    }),
  );
  onTestFinished(() => stopping.abort());
  return { ended, said: () => said, complaints: () => complaints, stop: () => stopping.abort() };
}
