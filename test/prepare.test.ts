/** `npm run prepare`, with a build that only says that it ran. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from './fixtures/scratch-repository.ts';

const script = join(import.meta.dirname, '../scripts/prepare.mjs');

test.each([
  { command: 'ci', built: false, builds: true },
  { command: 'ci', built: true, builds: true },
  { command: 'exec', built: false, builds: true },
  { command: 'exec', built: true, builds: false },
])('npm $command, with a built package: $built, builds: $builds', ({ command, built, builds }) => {
  const folder = scratchFolder();
  for (const name of ['scripts', 'dist']) mkdirSync(join(folder, name));
  cpSync(script, join(folder, 'scripts/prepare.mjs'));
  writeFileSync(join(folder, 'scripts/build.mjs'), "console.log('built');");
  if (built) writeFileSync(join(folder, 'dist/main.cjs'), '');
  const { stdout, status } = spawnSync(process.execPath, [join(folder, 'scripts/prepare.mjs')], {
    env: { npm_command: command },
    encoding: 'utf8',
  });
  expect({ stdout, status }).toEqual({ stdout: builds ? 'built\n' : '', status: 0 });
});
