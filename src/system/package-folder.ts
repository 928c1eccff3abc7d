import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CollabError } from '../errors/collab-error.ts';

/**
 * Returns this package's folder, in the sources, in `dist` or installed; files that ship with the program are
 * found from it.
 * @throws CollabError `internal`
 */
export function packageFolder(inside: string = import.meta.dirname): string {
  const file = join(inside, 'package.json');
  if (existsSync(file) && readFileSync(file, 'utf8').includes('"name": "codex-collab"')) return inside;
  if (dirname(inside) !== inside) return packageFolder(dirname(inside));
  throw new CollabError('internal', 'the package of collab does not contain its own program', {
    hint: 'Reinstall it: npm install codex-collab',
  });
}
