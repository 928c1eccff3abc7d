import { dirname, join } from 'node:path';
import { CollabError } from '../errors/collab-error.ts';
import { readNamedIfThere } from './files/read.ts';

/**
 * Returns this package's folder, in the sources, in `dist` or installed; files that ship with the program are
 * found from it.
 * @throws CollabError `internal`
 */
export function packageFolder(inside: string = import.meta.dirname): string {
  const found = readNamedIfThere(join(inside, 'package.json'));
  if (found?.includes('"name": "codex-collab"') === true) return inside;
  if (dirname(inside) !== inside) return packageFolder(dirname(inside));
  throw new CollabError('internal', 'the package of collab does not contain its own program', {
    hint: 'Reinstall it: npm install codex-collab',
  });
}

/** Returns the path of a program in `dist`; null in the sources, because Node 20 runs no TypeScript. */
export function builtProgram(name: string): string | null {
  return import.meta.url.includes('/dist/') ? join(packageFolder(), 'dist', name) : null;
}
