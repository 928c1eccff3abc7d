/** Finds the version of the installed Codex. */
import { join } from 'node:path';
import { z } from 'zod';
import type { CollabError } from '../../../errors/collab-error.ts';
import { installAdvice, lacksAbility } from '../../program/lacks-ability.ts';
import { readNamed } from '../../../system/files/read.ts';
import { askVersion } from '../../program/ask-version.ts';
import type { Layout } from './layout.ts';

/** Returns the error for a Codex that refuses an option of the launch. */
export function tooOld(program: string, ability: string): CollabError {
  const install = installAdvice({ name: '@openai/codex', node: 16 });
  return lacksAbility({ agent: 'Codex', program, ability, install });
}

/** Returns the version of its package, else the program's own; null if neither is known. */
export async function programVersion(layout: Layout, signal: AbortSignal): Promise<string | null> {
  return (
    packagedVersion(layout.readable) ??
    askVersion({ program: layout.program, cwd: layout.cwd, env: layout.env, signal })
  );
}

const packageSchema = z.looseObject({ version: z.string() });

/** Returns the version of Codex's own package (0.169); null if the program is not in one. */
function packagedVersion(readable: string): string | null {
  try {
    const text = readNamed(join(readable, 'codex-package.json')).toString('utf8');
    return packageSchema.parse(JSON.parse(text)).version;
  } catch {
    return null;
  }
}
