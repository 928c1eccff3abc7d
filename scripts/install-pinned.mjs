// Installs the packages that a folder pins in a lock file of its own. Their install scripts do not run.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Runs `npm ci` in the folder, unless all packages of its lock file for this system are installed already. */
export function installPinned(folder) {
  if (!isInstalled(folder)) run(npm, ['ci', '--ignore-scripts'], folder);
}

/** Runs a program in the foreground. Ends this process with the program's exit code if that is not 0. */
export function run(file, args, cwd) {
  const { status, error } = spawnSync(file, args, { cwd, stdio: 'inherit', shell: file === 'npm.cmd' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function isInstalled(folder) {
  const wanted = packagesOf(join(folder, 'package-lock.json'));
  const present = packagesOf(join(folder, 'node_modules/.package-lock.json'));
  if (wanted === null || present === null) return false;
  return Object.entries(wanted)
    .filter(([path, entry]) => path !== '' && (entry.optional !== true || isForThisSystem(entry)))
    .every(([path, { version }]) => present[path]?.version === version);
}

function isForThisSystem({ os = [process.platform], cpu = [process.arch], libc = [ownLibc()] }) {
  return os.includes(process.platform) && cpu.includes(process.arch) && libc.includes(ownLibc());
}

function ownLibc() {
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}
