/** Runs the installed program as a user other than root, who may write into the test's folders and nowhere else. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Place } from '../packed/place.ts';

export const isRoot = process.getuid?.() === 0;

/** The words before a command that runs as this user, or as ours if the tests do not run as root. */
export function asUser(user: string): readonly [string, ...string[]] {
  return isRoot ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'] : ['env'];
}

/** `nobody` on most systems. */
export const nobody = '65534';

export function openTo(place: Place, user: string): void {
  const root = join(place.folder, '..');
  mkdirSync(join(root, 'state'), { recursive: true });
  for (const folder of [root, place.folder, join(root, 'state'), join(root, 'home')])
    chmodSync(folder, 0o777);
  execFileSync('chown', ['-R', `${user}:${user}`, root]);
  // The installed program is below a private temporary folder.
  for (let folder = dirname(place.command); folder.startsWith(`${tmpdir()}/`); folder = dirname(folder)) {
    chmodSync(folder, 0o755);
  }
}
