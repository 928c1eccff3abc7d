/** Finds the native Claude Code program without running anything: an npm launcher would leave its child behind. */
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readBeginning } from '../../system/files/read.ts';
import { nativeProgram, type Platform } from '../../system/platform.ts';
import { isInside } from '../../system/is-inside.ts';
import { programFiles, type ProgramSearch } from '../program/program-files.ts';

/** Returns the configured program, else the first `claude` on PATH outside the repository; null if there is none. */
export function findClaude(options: ProgramSearch): string | null {
  for (const file of programFiles('claude', options)) {
    if (!isExecutable(file)) continue;
    const program = programOf(file, options.platform);
    if (program !== null && !isInside(program, options.repository)) return program;
  }
  return null;
}

/**
 * Returns the program. For the npm package it is in the optional package of this platform (claude 2.1): the package's own
 * `bin/claude.exe` is a placeholder until its install script has run. Any other script is returned unchanged.
 */
function programOf(file: string, platform: Platform): string | null {
  if (isNative(file)) return file;
  const packaged = /\.(cmd|bat)$/i.test(file)
    ? join(dirname(file), 'node_modules', ...packageName.split('/'), 'package.json')
    : file;
  const program = packagedProgram(packaged, platform);
  if (program !== null) return program;
  return packaged === file && startsWith(file, ['#!']) ? file : null;
}

const packageName = '@anthropic-ai/claude-code';

function packagedProgram(from: string, { os, arch }: Platform): string | null {
  const system = `${packageName}-${os === 'android' ? 'linux' : os}-${arch}`;
  for (const name of [system, `${system}-musl`]) {
    try {
      const folder = dirname(createRequire(from).resolve(`${name}/package.json`));
      const program = join(folder, nativeProgram('claude', { os, arch }));
      if (isExecutable(program)) return program;
    } catch {
      // Installed without its optional package, or not an npm package.
    }
  }
  return null;
}

function isNative(file: string): boolean {
  return startsWith(file, ['\x7fELF', 'MZ', '\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe']);
}

function startsWith(file: string, beginnings: readonly string[]): boolean {
  const text = readBeginning(file, 4).toString('latin1');
  return beginnings.some((beginning) => text.startsWith(beginning));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK | constants.R_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
