import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { runGit } from './run-git.ts';

/** Runs a script in place of git. */
function runAsGit(script: string, objects?: string) {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'git'), 0o755);
  const variables = objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: objects };
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  return { folder, ran: runGit({ args: ['add'], cwd: folder, variables, env, repositoryRoot: null }) };
}

test.skipIf(process.platform === 'win32').each([
  ['No space left on device', 'the disk is full'],
  ['Disk quota exceeded', 'the disk quota is used up'],
  ['File too large', 'the file would be larger than the system allows'],
  ['Too many open files', 'this process has too many open files'],
])('git that ends with "%s" is an error about the folder of its objects', async (words, said) => {
  const { ran } = runAsGit(
    `echo "error: unable to write x: ${words}" >&2; echo "fatal: y" >&2; exit 128`,
    '/o',
  );
  await expect(ran).rejects.toMatchObject({ code: 'file', message: `/o cannot be written: ${said}` });
});

test.skipIf(process.platform === 'win32')(
  'a git that the system ends at a file size limit is a write failure, too',
  async () => {
    const { folder, ran } = runAsGit('kill -XFSZ $$');
    const message = `${folder} cannot be written: the file would be larger than the system allows`;
    await expect(ran).rejects.toMatchObject({ code: 'file', message });
  },
);

test.skipIf(process.platform === 'win32')(
  'a name that contains these words, or a git that succeeds, is not an error',
  async () => {
    const script = 'echo \'error: "a: No space left on device": not a file\' >&2';
    expect(await runAsGit(`${script}; exit 1`).ran).toMatchObject({ exitCode: 1 });
    expect(await runAsGit('echo "warning: x: No space left on device" >&2').ran).toMatchObject({
      exitCode: 0,
    });
  },
);
