/** Finds the native Codex program without running anything: an npm launcher would leave its child behind when killed. */
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBeginning } from '../../../system/files/read.ts';
import { nativeProgram, rustTarget, type Platform } from '../../../system/platform.ts';
import { isInside } from '../../../system/is-inside.ts';
import { programFiles, realPath, type ProgramSearch } from '../../program/program-files.ts';

export interface CodexProgram {
  readonly file: string;
  /** The path that the sandbox must be able to read to start: the package's own folder, or the program if there is no package. */
  readonly readable: string;
}

/** Returns the configured program, else the first `codex` on PATH outside the repository; null if there is none. */
export function findCodex(options: ProgramSearch): CodexProgram | null {
  for (const file of programFiles('codex', options)) {
    const program = programOf(file, options.platform);
    if (program !== null && !isInside(program.file, options.repository)) return program;
  }
  return null;
}

/** Returns the first file that would be Codex if it led to a program; null if there is none. For a failed {@link findCodex}. */
export function findLauncher(options: ProgramSearch): string | null {
  return programFiles('codex', options)[0] ?? null;
}

function programOf(file: string, platform: Platform): CodexProgram | null {
  if (/\.(cmd|bat)$/i.test(file)) {
    const script = realPath(join(dirname(file), 'node_modules', '@openai', 'codex', 'bin', 'codex.js'));
    return script === null ? null : programOfLauncher(script, platform);
  }
  return startsWithShebang(file) ? programOfLauncher(file, platform) : nativeProgramAt(file);
}

/**
 * Returns the launcher's program. The launcher is a Node script; the program is in the optional package of this platform
 * (codex 0.169).
 */
function programOfLauncher(script: string, platform: Platform): CodexProgram | null {
  const target = rustTarget(platform);
  if (target === null) return null;
  try {
    const manifest = createRequire(script).resolve(`${platformPackage(platform)}/package.json`);
    const vendor = join(dirname(manifest), 'vendor', target);
    const file = join(vendor, 'bin', nativeProgram('codex', platform));
    return existsSync(file) ? { file, readable: vendor } : null;
  } catch {
    // Installed without its optional package, or another kind of wrapper: not a Codex that we can start.
    return null;
  }
}

/** Returns the name of the package with the program (codex 0.169). Those up to 0.98 had the programs of all systems in one. */
export function platformPackage({ os, arch }: Platform): string {
  return `@openai/codex-${os === 'android' ? 'linux' : os}-${arch}`;
}

function nativeProgramAt(file: string): CodexProgram {
  const vendor = dirname(dirname(file));
  return { file, readable: existsSync(join(vendor, 'codex-package.json')) ? vendor : file };
}

function startsWithShebang(file: string): boolean {
  return readBeginning(file, 2).toString('latin1') === '#!';
}
