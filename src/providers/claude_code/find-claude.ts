/** Finds the native Claude Code program without running anything: an npm launcher would leave its child behind. */
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { readBeginning } from '../../system/files/read.ts';
import { nativeProgram, pathFolders, programNames, type Platform } from '../../system/platform.ts';
import { isInside } from '../../system/is-inside.ts';
import { realPath } from '../program/program-files.ts';

export interface FindClaudeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** No program in this folder is ever started. */
  readonly repository: string;
  /** `claude_code.path` of the configuration. */
  readonly configured: string | null;
  readonly platform: Platform;
}

/** Returns the configured program, else the first `claude` on PATH outside the repository; null if there is none. */
export function findClaude(options: FindClaudeOptions): string | null {
  for (const candidate of candidates(options)) {
    const file = realPath(candidate);
    if (file === null || isInside(file, options.repository) || !isExecutable(file)) continue;
    const program = programOf(file, options.platform);
    if (program !== null && !isInside(program, options.repository)) return program;
  }
  return null;
}

function candidates({ env, configured, repository, platform }: FindClaudeOptions): readonly string[] {
  if (configured !== null) return [resolve(repository, configured)];
  const names = programNames('claude', env, platform);
  return pathFolders(env, platform).flatMap((folder) => names.map((name) => join(folder, name)));
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
