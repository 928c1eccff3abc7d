import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CollabError } from '../errors/collab-error.ts';

/** A skill that comes with the package, whether this runs from the sources, from `dist` or installed. */
export function packageSkillFolder(name: string): string {
  return join(packageFolder(import.meta.dirname), 'skills', name);
}

function packageFolder(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file) && readFileSync(file, 'utf8').includes('"name": "codex-collab"')) return folder;
  if (dirname(folder) !== folder) return packageFolder(dirname(folder));
  throw new CollabError('internal', 'the package of collab is not around its own program', {
    hint: 'Install it anew: npm install codex-collab',
  });
}
