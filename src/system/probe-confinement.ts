/** Finds out how this system can confine a foreign command, by confining one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, ConfiningPrograms } from './confine.ts';
import { thisPlatform, type Platform } from './platform.ts';
import { runCommand } from './run-command.ts';

let found: Promise<Confinement> | null = null;

/** Returns the result of {@link probeConfinement} for this process, probed once. */
export function confinementHere(): Promise<Confinement> {
  return (found ??= probeConfinement(thisPlatform));
}

/** Never rejects. Starts one short process if namespaces work. */
export async function probeConfinement(platform: Platform): Promise<Confinement> {
  if (platform.os !== 'linux') return { kind: 'marked', reason: `${platform.os} has no process namespaces` };
  const programs = findPrograms();
  if ('missing' in programs) return { kind: 'marked', reason: `${programs.missing} is not installed` };
  // The user of a container may have no entry in the system's list of users.
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const ids = { user: uid, group: gid };
  // Root keeps its identity if possible: in a user namespace it could not write to other users' files.
  const forms = uid === 0 ? (['root', 'user'] as const) : (['user'] as const);
  let reason = '';
  for (const form of forms) {
    const how: Confinement = { kind: 'namespaces', form, programs, ids };
    const fault = await faultOf(how);
    if (fault === null) return how;
    reason = fault;
  }
  return { kind: 'marked', reason };
}

const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

function findPrograms(): ConfiningPrograms | { readonly missing: string } {
  const [setpriv, unshare, mount] = ['setpriv', 'unshare', 'mount'].map(findProgram);
  if (setpriv === undefined) return { missing: 'setpriv (util-linux)' };
  if (unshare === undefined) return { missing: 'unshare (util-linux)' };
  return mount === undefined ? { missing: 'mount' } : { setpriv, unshare, mount };
}

function findProgram(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The probe must be the second process of its table and see no third one. Returns null if so. */
async function faultOf(how: Confinement): Promise<string | null> {
  const result = await runCommand({
    file: '/bin/sh',
    args: ['-c', 'set -- /proc/[0-9]*; test "$PPID" = 1 && test $# = 2'],
    cwd: '/',
    env: {},
    maxOutputBytes: 1024,
    timeoutMs: 10_000,
    confined: { how, hidden: [] },
  });
  if (result.exitCode === 0) return null;
  const [words = ''] = result.stderr.split('\n').filter((line) => line !== '');
  return words === '' ? 'the probe sees other processes' : words.slice(0, 200);
}
