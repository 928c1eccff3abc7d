/** Keeps our folders outside repositories, because agents read the set-up of the repository they run in. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';

/** `folder` is a real path. @throws CollabError `state_folder` when a folder above holds `.git` */
export function refuseInsideRepository(folder: string): void {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) {
      throw new CollabError('state_folder', `The state folder ${folder} is in the repository ${current}.`, {
        hint: 'Set XDG_STATE_HOME to a folder outside every repository.',
      });
    }
    if (dirname(current) === current) return;
  }
}
