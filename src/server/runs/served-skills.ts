/** Skills by name, as a request selects them: the repository's and the package's. */
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { leavesFolder } from '../../config/folder-bounds.ts';
import { topFolder } from '../../config/load-config.ts';
import { packageSkillFolder } from '../../prompts/skills/skill-package.ts';
import { aboutSkill } from '../../prompts/system-prompts.ts';
import { realPlace } from '../../system/files/in-folder.ts';
import { factsOf, readBytes } from '../../system/files/read.ts';

/** The name pattern of the standard for skills. */
const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Bytes of a `SKILL.md`: far above what is sent to a model. */
const mostBytes = 64 * 1024;

/** @throws CollabError `options` for an unknown skill */
export function skillFolder(name: string, cwd: string): string {
  const found = namePattern.test(name) ? places(name, cwd).find(hasSkill) : undefined;
  if (found !== undefined) return found;
  throw new CollabError('options', `There is no skill ${JSON.stringify(name.slice(0, 80))} here`, {
    hint: 'Add a folder with SKILL.md to skills/ or .claude/skills/ of the repository.',
    details: { name },
  });
}

/** Returns the text about the skills for the lead. @throws CollabError as `skillFolder` */
export function skillTexts(names: readonly string[], cwd: string): readonly string[] {
  return names.map((name) => {
    const bytes = readBytes(join(skillFolder(name, cwd), 'SKILL.md'));
    return aboutSkill(name, bytes.subarray(0, mostBytes).toString('utf8'));
  });
}

function places(name: string, cwd: string): readonly string[] {
  const top = topFolder(cwd);
  const own = [join(top, 'skills', name), join(top, '.claude/skills', name)];
  // A link out of the repository could send any file of this machine to the model.
  const inside = own.filter((folder) => !leavesFolder(folder, top));
  return [...inside, packageSkillFolder(name)].map(realPlace);
}

function hasSkill(folder: string): boolean {
  return factsOf(join(folder, 'SKILL.md')) !== null;
}
