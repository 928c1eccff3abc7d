import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { openBrowser } from './open-browser.ts';

const linux = { os: 'linux', arch: 'x64' } as const;
const address = 'http://127.0.0.1:8765/#/';

test('the browser gets the address as its last argument, in the folder and the environment of the command', async () => {
  const cwd = scratchFolder();
  const file = join(cwd, 'opened');
  writeFileSync(
    join(cwd, 'xdg-open'),
    `#!/bin/sh\nprintf '%s' "$PWD $DISPLAY $*" > opened.part && mv opened.part opened\n`,
    {
      mode: 0o755,
    },
  );
  const env = { PATH: `${cwd}:/usr/bin:/bin`, DISPLAY: ':7' };
  expect(await openBrowser({ cwd, env }, address, linux)).toBe(true);
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(`${cwd} :7 ${address}`);
});

test('without a screen, or without the program, there is no browser', async () => {
  const cwd = scratchFolder();
  expect(await openBrowser({ cwd, env: { PATH: cwd } }, address, linux)).toBe(false);
  expect(await openBrowser({ cwd, env: { PATH: cwd, DISPLAY: ':7' } }, address, linux)).toBe(false);
});
