/** An output that cannot be written is a failure of ours, and never looks like "there are findings". */
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { installPackedCollab } from '../packed-collab.ts';

test.runIf(process.platform === 'linux')('a full disk behind standard output makes exit 4', async () => {
  const collab = await installPackedCollab();
  const { exitCode, stderr } = await execa(
    'sh',
    ['-c', '"$0" "$1" runs > /dev/full', process.execPath, collab.command],
    { cwd: collab.folder, env: { ...collab.environment }, extendEnv: false, reject: false },
  );
  expect(exitCode).toBe(4);
  expect(stderr).toContain('collab: the output cannot be written: ENOSPC');
});
