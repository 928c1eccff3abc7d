/**
 * A child that dies with us, however we die. `setpriv` has the kernel do it; where that is missing a small shell program
 * waits beside the child for the end of a pipe that only we hold (both measured: facts/isolation.md §6).
 */
import { existsSync } from 'node:fs';
import { deathSignalProgram, systemShell, type Platform } from './platform.ts';

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** Its fourth stream is a pipe that we hold open and never write to. */
  readonly holdsPipe: boolean;
}

export type Command = Pick<Launch, 'file' | 'args'>;

/** On Windows nothing is added: a child there outlives a parent that is killed. */
export function tieToUs(
  { file, args }: Command,
  platform: Platform,
  exists: (path: string) => boolean = existsSync,
): Launch {
  const wrapper = deathSignalProgram(platform);
  if (wrapper !== null && exists(wrapper)) {
    return { file: wrapper, args: ['--pdeathsig', 'KILL', '--', file, ...args], holdsPipe: false };
  }
  const shell = systemShell(platform);
  if (shell === null) return { file, args, holdsPipe: false };
  return { file: shell, args: ['-c', lifeline, 'lifeline', file, ...args], holdsPipe: true };
}

/** The exit code is the child's own. Without the last `wait` a zombie stays where process 1 collects none. */
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
