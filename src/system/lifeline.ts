/**
 * A child that ends with this process, however that ends. `setpriv` has the kernel do it; if it is missing, a
 * small shell program waits beside the child for the end of a pipe that only this process holds (both
 * measured: test/agents/traps.md, Isolation).
 */
import { existsSync } from 'node:fs';
import { deathSignalProgram, systemShell, type Platform } from './platform.ts';

export interface TiedLaunch {
  readonly file: string;
  readonly args: readonly string[];
  /** The child's fourth stream is a pipe that this process holds open and never writes to. */
  readonly holdsPipe: boolean;
}

export type ProgramCall = Pick<TiedLaunch, 'file' | 'args'>;

/** Adds nothing on Windows: a child there outlives a killed parent. */
export function tieToUs(
  { file, args }: ProgramCall,
  platform: Platform,
  exists: (path: string) => boolean = existsSync,
): TiedLaunch {
  const wrapper = deathSignalProgram(platform);
  if (wrapper !== null && exists(wrapper)) {
    return { file: wrapper, args: ['--pdeathsig', 'KILL', '--', file, ...args], holdsPipe: false };
  }
  const shell = systemShell(platform);
  return shell === null ? { file, args, holdsPipe: false } : lifelineOf({ file, args }, shell);
}

/** Always uses the small shell program: the command's parent is that shell, which has the command's own environment. */
export function lifelineOf({ file, args }: ProgramCall, shell: string): TiedLaunch {
  return { file: shell, args: ['-c', lifeline, 'lifeline', file, ...args], holdsPipe: true };
}

/** The exit code is the child's own. Without the last `wait`, a zombie stays if process 1 collects none. */
const lifeline = `
exec 4<&0 </dev/null
"$@" <&4 3<&- 4<&- & c=$!
exec 4<&-
{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 & w=$!
exec 3<&-
wait "$c"; r=$?
kill -KILL "$w" 2>/dev/null; wait "$w" 2>/dev/null
exit "$r"
`;
