/**
 * The place in which a test uses the installed command as a user would: an empty HOME, a folder to work in, no
 * variable that affects `collab`.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { test as base } from 'vitest';
import { z } from 'zod';
import { resolveRun } from '../../src/runs/folder/run-folder.ts';
import {
  installBeside,
  installPackedCollab,
  type PackedResult,
  type PackedRunOptions,
} from './packed-collab.ts';
import { processesNaming } from '../setup/process-table.ts';
import { startCommand, until, type StartedCommand } from './started-command.ts';

interface PlaceRunOptions extends Omit<PackedRunOptions, 'input'> {
  /** Standard input; default empty, null leaves it open. */
  readonly input?: string | null;
}

export interface Place {
  /** The working folder; each run of `collab` is in its `.collab`. */
  readonly folder: string;
  /** The installed command, its arguments and its environment, for a test that starts it in its own way. */
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly collab: (args: readonly string[], options?: PackedRunOptions) => Promise<PackedResult>;
  /** Starts `collab` in a process group of its own and does not wait for its end. */
  readonly start: (args: readonly string[], options?: PlaceRunOptions) => StartedCommand;
  /** Puts a file into the working folder; returns its path. */
  readonly write: (path: string, content: string | Uint8Array) => string;
  readonly read: (path: string) => string;
  /** Puts the rehearsal scripts into the working folder; returns what `--advisor` takes. Calls are logged beside them. */
  readonly rehearsal: (script: string) => string;
  /** Plain git with an identity; returns standard output. */
  readonly git: (...args: readonly string[]) => string;
  /** The folder in which the package is installed. */
  readonly packageFolder: string;
  /** The names in the working folder. */
  readonly names: () => readonly string[];
  /** Folders of the runs, the oldest first. */
  readonly runs: () => readonly string[];
  /** The folder of the newest run. @throws Error when there is none: an empty path would be the caller's own folder. */
  readonly lastRun: () => string;
}

export const repository = join(import.meta.dirname, '../..');
export const example = (name: string): string => join(repository, 'examples', name);

/** A test that gets a place of its own; runs that it started and left are ended with it. */
export const test = base.extend<{ place: Place }>({
  // oxlint-disable-next-line no-empty-pattern
  place: async ({}, use) => inPlace(use),
});

/** Creates a place, lets the test use it and removes it. With `sdks`, packages of vendors are installed beside the command. */
export async function inPlace(
  use: (place: Place) => Promise<void>,
  sdks: readonly string[] = [],
): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-user-')));
  const started: StartedCommand[] = [];
  const place = await createPlace(root, started, sdks);
  try {
    await use(place);
  } finally {
    for (const command of started) command.kill('SIGKILL');
    for (const run of place.runs()) killOwner(run);
    await endProcessesIn(root);
    rmSync(root, { recursive: true, force: true });
  }
}

/** An agent that still writes would bring its folder back while it is removed. */
async function endProcessesIn(root: string): Promise<void> {
  await until('the end of every process of the place', () => {
    const left = processesNaming(root);
    for (const { pid } of left) killDespite(pid);
    return left.length === 0;
  });
}

async function createPlace(root: string, started: StartedCommand[], sdks: readonly string[]): Promise<Place> {
  const installed = sdks.length === 0 ? installPackedCollab() : installBeside(join(root, 'installed'), sdks);
  const { command, environment, folder: consumer } = await installed;
  const folder = join(root, 'project');
  const home = join(root, 'home');
  for (const path of [folder, home]) mkdirSync(path);
  const env = { ...environment, HOME: home, PATH: gitAlone(root) };
  const begin = (args: readonly string[], options: PlaceRunOptions = {}) => {
    const settings = {
      cwd: options.cwd ?? folder,
      env: { ...env, ...options.env },
      input: options.input === undefined ? '' : options.input,
    };
    return startCommand(command, args, settings);
  };
  const runs = (): readonly string[] => {
    const above = join(folder, '.collab/runs');
    return readFolder(above)
      .filter((name) => !name.startsWith('.'))
      .toSorted()
      .map((name) => join(above, name));
  };
  return {
    folder,
    command,
    environment: env,
    packageFolder: join(consumer, 'node_modules/codex-collab'),
    collab: (args, options) => begin(args, options).ended,
    start(args, options) {
      const begun = begin(args, options);
      started.push(begun);
      return begun;
    },
    write(path, content) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    rehearsal(script) {
      cpSync(join(repository, 'test/fixtures/rehearsal'), join(folder, 'rehearsal'), { recursive: true });
      return `rehearsal:rehearsal/${script}.yaml`;
    },
    git: (...args) =>
      execFileSync('git', [...identity.flatMap((setting) => ['-c', setting]), ...args], {
        cwd: folder,
        env,
        encoding: 'utf8',
        stdio: 'pipe',
      }),
    names: () => readdirSync(folder),
    runs,
    lastRun() {
      return resolveRun(join(folder, '.collab')).path;
    },
  };
}

const identity = ['user.name=A', 'user.email=a@example.org', 'init.defaultBranch=main'];

/** A folder with git and nothing else: the test decides whether an agent is installed. */
function gitAlone(root: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const git = folders.map((path) => join(path, 'git')).find((path) => existsSync(path));
  if (git === undefined) throw new Error('git is not installed');
  const bin = join(root, 'bin');
  mkdirSync(bin);
  symlinkSync(git, join(bin, 'git'));
  return bin;
}

function readFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

const lockSchema = z.object({ pid: z.int().positive() });

/**
 * A detached run outlives the command that started it, but not the test. Its arguments name the run, so no other
 * process is ended.
 */
function killDespite(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

function killOwner(run: string): void {
  const locks = readFolder(run).filter((name) => name.startsWith('lock.'));
  for (const lock of locks) {
    try {
      const { pid } = lockSchema.parse(JSON.parse(readFileSync(join(run, lock), 'utf8')));
      const name = run.split('/').at(-1) ?? run;
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name)) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, or the system has no /proc.
    }
  }
}
