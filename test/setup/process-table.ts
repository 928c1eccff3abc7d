import { execFileSync } from 'node:child_process';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Everything below a process, however deep. Processes that have ended and wait for their parent do not count. */
export function descendantsOf(pid: number): readonly ProcessEntry[] {
  const table = processes();
  const below = (parent: number): readonly ProcessEntry[] =>
    table.filter((entry) => entry.parent === parent).flatMap((entry) => [entry, ...below(entry.pid)]);
  return below(pid);
}

/** The given processes that are still alive. */
export function stillAlive(entries: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const table = processes();
  return entries.filter(({ pid, command }) =>
    table.some((entry) => entry.pid === pid && entry.command === command),
  );
}

/** Everything that has the text in its command line or its environment. */
export function processesNaming(text: string): readonly ProcessEntry[] {
  return processes('e').filter(({ command }) => command.includes(text));
}

/** `e` adds the environment to the command line. */
function processes(environment: 'e' | '' = ''): readonly ProcessEntry[] {
  const lines = execFileSync('ps', [`axww${environment}`, '-o', 'pid=,ppid=,stat=,args='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return lines.split('\n').flatMap((line) => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), command }];
  });
}
