/**
 * The server's own files, one folder per served folder: tokens, sessions, its address. It is outside every repository, because
 * a repository that contains a `.collab` folder would bring tokens that its author knows.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { sha256 } from '../../text/digest.ts';
import { makeHome } from '../../runs/folder/run-folder.ts';
import { serversFolder, type StateFolderOptions } from '../../runs/folder/state-folder.ts';
import { stateBase } from '../../system/state-base.ts';

export interface ServerFolder {
  readonly path: string;
  /** Derived from the served folder, for names that must differ between servers on the same host. */
  readonly key: string;
}

export interface ServerFolderOptions extends StateFolderOptions {
  /** The home of the runs that are served. */
  readonly home: string;
}

/** Creates the folder if it is missing, with mode 0700. @throws CollabError `state_folder` */
export function openServerFolder(options: ServerFolderOptions): ServerFolder {
  const base = stateBase(options);
  if (base === null) {
    throw new CollabError('state_folder', 'There is no private folder for the files of a server', {
      hint: 'Set XDG_STATE_HOME to a folder of yours outside every repository.',
    });
  }
  makeHome(options.home);
  const key = sha256(realpathSync(options.home)).slice(0, 16);
  const path = join(base, serversFolder, key);
  makeFolder(path);
  return { path, key };
}
