import { join } from 'node:path';
import { packageFolder } from '../../system/package-folder.ts';

/** Returns the folder of a skill in the package. */
export function packageSkillFolder(name: string): string {
  return join(packageFolder(), 'skills', name);
}
