/** The package as a user gets it: packed, installed offline in an empty folder, and driven through its command. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { execa } from 'execa';
import { lockFor } from './package/consumer-lock.ts';

export interface PackedRunOptions {
  /** Working folder; default the folder of the installation. */
  readonly cwd?: string;
  /** Added to the plain environment; only a test about a variable of `collab` sets it. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; default empty. */
  readonly input?: string;
}

export interface PackedResult {
  /** The exit code; null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface PackedCollab {
  /** The consumer's folder; the package is in its `node_modules/codex-collab`. */
  readonly folder: string;
  /** The file that `npm pack` wrote. The installed folder is not the same: the program keeps its code cache there. */
  readonly tarball: string;
  /** The command itself, for tests that start it themselves. */
  readonly command: string;
  /** What {@link run} starts it with: an empty HOME and what a process needs, no variable that affects it. */
  readonly environment: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: PackedRunOptions): Promise<PackedResult>;
}

const repository = join(import.meta.dirname, '../..');
const npm = promisify(execFile);

/** Packs and installs on the first call of a test run, in the worker that comes first; the others wait for it. */
export async function installPackedCollab(): Promise<PackedCollab> {
  const shared = inject('packedFolder');
  const folder = join(shared, 'ready');
  if (!existsSync(folder) && claim(shared)) await install(join(shared, 'work'), folder);
  await appears(folder, join(shared, 'failed'));
  const command = commandIn(folder);
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const started = {
    folder,
    command,
    tarball: join(folder, tarballName()),
    environment: plainEnvironment(home),
  };
  return { ...started, run: (args, options = {}) => run(started, args, options) };
}

/** Copies the installed package into another folder, beside packages of this repository, as a user installs an SDK. */
export async function installBeside(
  folder: string,
  packages: readonly string[],
): Promise<Omit<PackedCollab, 'run' | 'tarball'>> {
  const installed = await installPackedCollab();
  const modules = join(folder, 'node_modules');
  cpSync(join(installed.folder, 'node_modules'), modules, { recursive: true });
  for (const name of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repository, 'node_modules', name), join(modules, name), 'dir');
  }
  return { folder, command: commandIn(folder), environment: installed.environment };
}

function commandIn(folder: string): string {
  return join(folder, 'node_modules/codex-collab/bin/collab');
}

function plainEnvironment(home: string): Record<string, string> {
  const path = process.env['PATH'] ?? '';
  const temporary = process.env['TMPDIR'];
  return {
    PATH: path,
    HOME: home,
    LANG: 'C.UTF-8',
    ...(temporary === undefined ? {} : { TMPDIR: temporary }),
  };
}

async function run(
  collab: Pick<PackedCollab, 'command' | 'folder' | 'environment'>,
  args: readonly string[],
  options: PackedRunOptions,
): Promise<PackedResult> {
  const result = await execa(process.execPath, [collab.command, ...args], {
    cwd: options.cwd ?? collab.folder,
    env: { ...collab.environment, ...options.env },
    extendEnv: false,
    input: options.input ?? '',
    reject: false,
    stripFinalNewline: false,
  });
  return { code: result.exitCode ?? null, stdout: result.stdout, stderr: result.stderr };
}

function claim(shared: string): boolean {
  try {
    mkdirSync(join(shared, 'work'));
    return true;
  } catch {
    // Another worker was first.
    return false;
  }
}

async function install(work: string, ready: string): Promise<void> {
  try {
    const tarball = await pack(work);
    const { packageJson, packageLock } = lockFor({ repository, folder: work, tarball });
    writeFileSync(join(work, 'package.json'), JSON.stringify(packageJson));
    writeFileSync(join(work, 'package-lock.json'), JSON.stringify(packageLock));
    await npm('npm', ['ci', '--offline', '--no-audit', '--no-fund'], { cwd: work });
    renameSync(work, ready);
  } catch (error) {
    writeFileSync(join(work, '../failed'), String(error));
    throw error;
  }
}

async function pack(destination: string): Promise<string> {
  if (!existsSync(join(repository, 'dist'))) throw new Error('dist/ is missing: npm run build');
  await npm('npm', ['pack', '--ignore-scripts', '--pack-destination', destination], { cwd: repository });
  return tarballName();
}

function tarballName(): string {
  const { name, version } = readPackage();
  return `${name}-${version}.tgz`;
}

function readPackage(): { name: string; version: string } {
  return JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
}

async function appears(path: string, failed: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!existsSync(path)) {
    if (existsSync(failed)) throw new Error(`the package was not installed: ${readFileSync(failed, 'utf8')}`);
    if (Date.now() > deadline) throw new Error(`the package was not installed in two minutes: ${path}`);
    await sleep(50);
  }
}
