/**
 * Caches a successful trial of Codex's sandbox for the next run: it takes three processes beside the server's start. The cache
 * is valid while nothing has changed that decides it: Codex, the kernel and its rules, and the limits of this process. A
 * failed trial is repeated each time.
 */
import { statSync } from 'node:fs';
import { z } from 'zod';
import { readIfPossible } from '../../../system/files/read.ts';
import { isInside } from '../../../system/is-inside.ts';
import type { AskedProgram } from '../../program/ask-version.ts';
import { pathFolders, type Platform } from '../../../system/platform.ts';
import { forgetful, memoryBeside, programFacts, type Memory } from './memory.ts';
import { probeSandbox, type SandboxProbe } from './sandbox-probe.ts';

export interface SandboxTrial extends AskedProgram {
  readonly stateFolder: string;
  readonly platform: Platform;
  /** The folder of the kernel's facts; a test has its own. */
  readonly kernelFolder?: string;
}

/** Tries the sandbox, or returns that it works if it did a moment ago under the same conditions. */
export async function trySandbox(trial: SandboxTrial): Promise<SandboxProbe> {
  const memory = memoryOf(trial);
  const known = memory.recall();
  if (known !== null) return known;
  const probe = await probeSandbox(trial);
  if (probe.works) memory.keep(probe);
  return probe;
}

const workingSchema = z.object({ works: z.literal(true) });

function memoryOf(trial: SandboxTrial): Memory<z.infer<typeof workingSchema>> {
  // The deciding facts are known only for Linux: user namespaces, and the rules about them.
  if (trial.platform.os !== 'linux') return forgetful;
  return memoryBeside({ ...trial, name: 'sandbox', facts: conditionsOf(trial), schema: workingSchema });
}

function conditionsOf({
  program,
  env,
  stateFolder,
  platform,
  kernelFolder = '/proc',
}: SandboxTrial): readonly unknown[] {
  const inKernel = (path: string): string => `${kernelFolder}/${path}`;
  const rules = [
    'user/max_user_namespaces',
    'kernel/unprivileged_userns_clone',
    'kernel/apparmor_restrict_unprivileged_userns',
  ];
  return [
    ...programFacts(program),
    // Codex takes the system's bubblewrap, or its own.
    pathFolders(env, platform).filter((folder) => !isInside(folder, stateFolder)),
    ...['sys/kernel/random/boot_id', 'self/attr/current', ...rules.map((rule) => `sys/${rule}`)].map((path) =>
      readIfPossible(inKernel(path)),
    ),
    // A container shares its kernel with others, and has namespaces of its own.
    ...['user', 'pid', 'mnt', 'net'].map((name) => numberIfPossible(inKernel(`self/ns/${name}`))),
    limitsIn(readIfPossible(inKernel('self/status')) ?? ''),
  ];
}

/** The user, capabilities and filters of this process. */
function limitsIn(status: string): readonly string[] {
  return status.split('\n').filter((line) => /^(?:Uid|Gid|Cap\w+|NoNewPrivs|Seccomp\w*):/.test(line));
}

/** The number of a namespace. */
function numberIfPossible(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}
