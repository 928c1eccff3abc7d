/** Which version of Codex lies there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runCommand } from '../../../system/run-command.ts';
import type { Layout } from './layout.ts';

/** As its package says it, else as it says itself; null where neither does. */
export async function programVersion(layout: Layout, signal: AbortSignal): Promise<string | null> {
  return packagedVersion(layout.readable) ?? askedVersion(layout, signal);
}

const packageSchema = z.looseObject({ version: z.string() });

/** As Codex's own package says it (0.169); null where the program lies in none. */
function packagedVersion(readable: string): string | null {
  try {
    return packageSchema.parse(JSON.parse(readFileSync(join(readable, 'codex-package.json'), 'utf8')))
      .version;
  } catch {
    return null;
  }
}

async function askedVersion({ program, cwd, env }: Layout, signal: AbortSignal): Promise<string | null> {
  const result = await runCommand({
    file: program,
    args: ['--version'],
    cwd,
    env,
    maxOutputBytes: 4096,
    timeoutMs: 15_000,
    signal,
  });
  return /(\d+\.\d+\.\d+\S*)/.exec(result.stdout)?.[1] ?? null;
}
