import { join } from 'node:path';
import { packageFolder } from '../../system/package-folder.ts';

/** A skill that comes with the package. */
export function packageSkillFolder(name: string): string {
  return join(packageFolder(), 'skills', name);
}
