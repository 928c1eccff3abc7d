/**
 * Launches a foreign command so that none of its processes survives. With namespaces (util-linux) it has its
 * own process table, which the kernel empties when the first process ends, and cannot see hidden folders.
 * Without them it carries a mark in its environment, by which `sweepMarked` finds every descendant.
 */
import { existsSync, realpathSync } from 'node:fs';
import { isInside } from './is-inside.ts';
import { lifelineOf, type ProgramCall, type TiedLaunch } from './lifeline.ts';
import { systemShell, type Platform } from './platform.ts';

/** The means by which this system can confine a foreign command. */
export type Confinement =
  | {
      readonly kind: 'namespaces';
      /** `root` gives up rights but keeps its identity; every other user needs a user namespace. */
      readonly form: 'root' | 'user';
      readonly programs: ConfiningPrograms;
      readonly ids: { readonly user: number; readonly group: number };
    }
  | {
      readonly kind: 'marked';
      /** The reason why there are no namespaces, in a few words. */
      readonly reason: string;
    };

/** Absolute paths. */
export interface ConfiningPrograms {
  readonly setpriv: string;
  readonly unshare: string;
  readonly mount: string;
}

export interface ConfineOptions {
  readonly how: Confinement;
  readonly cwd: string;
  /** Files and folders that the command must not see; one that holds `cwd` stays visible. Needs namespaces. */
  readonly hidden: readonly string[];
  /** Unguessable, and only in the environment of marked processes. */
  readonly mark: string;
  readonly platform: Platform;
}

export interface ConfinedLaunch extends TiedLaunch {
  /** Variables to add to the command's environment. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * A program that is started before the command and ends every process with the mark once its input ends;
   * null with namespaces.
   */
  readonly sweeper: ProgramCall | null;
}

export const markVariable = 'COLLAB_COMMAND';

/** The beginning of standard error if the command was not started because something could not be hidden. */
export const confineFailure = 'collab: cannot hide';

export function confine(command: ProgramCall, options: ConfineOptions): ConfinedLaunch {
  const { how, mark, platform } = options;
  if (how.kind === 'namespaces') {
    return { ...inNamespaces(command, how, hiddenPaths(options)), holdsPipe: false, env: {}, sweeper: null };
  }
  const shell = systemShell(platform);
  const env = { [markVariable]: mark };
  if (shell === null) return { ...command, holdsPipe: false, env, sweeper: null };
  // Never uses `setpriv`: the command's parent would then be this process, with its whole environment.
  const sweeper = { file: shell, args: ['-c', sweepScript, 'sweep', markVariable, mark] };
  return { ...lifelineOf(command, shell), env, sweeper };
}

type Namespaces = Extract<Confinement, { kind: 'namespaces' }>;

function inNamespaces(command: ProgramCall, how: Namespaces, hidden: readonly string[]): ProgramCall {
  const { setpriv, unshare, mount } = how.programs;
  const own = how.form === 'user' ? ['--user', '--map-root-user'] : [];
  const withoutRights =
    how.form === 'user'
      ? [unshare, '--user', `--map-user=${how.ids.user}`, `--map-group=${how.ids.group}`, '--']
      : [setpriv, `--bounding-set=${lostRights.join(',')}`, '--inh-caps=-all', '--'];
  const tables = ['--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc', '--'];
  const init = ['/bin/sh', '-c', initScript, 'init', mount, String(hidden.length), ...hidden];
  return {
    file: setpriv,
    args: [
      '--pdeathsig',
      'KILL',
      '--',
      unshare,
      ...own,
      ...tables,
      ...init,
      ...withoutRights,
      command.file,
      ...command.args,
    ],
  };
}

/** The rights with which root could undo the hiding, read other processes' memory or mount a disk. */
const lostRights = [
  'sys_admin',
  'sys_ptrace',
  'sys_rawio',
  'sys_module',
  'sys_boot',
  'syslog',
  'mknod',
  'dac_read_search',
  'bpf',
  'perfmon',
].map((right) => `-${right}`);

/**
 * The first process of the namespace: a shell there would ignore SIGTERM, as process 1 does. It holds the
 * rights to mount; the command below it has lost them, or runs in a further user namespace, where the mounts
 * are locked.
 */
const initScript = `
mount=$1; n=$2; shift 2
while [ "$n" -gt 0 ]; do
  if [ -d "$1" ]; then "$mount" -n -t tmpfs -o ro,size=4k,mode=555 none "$1"
  elif [ -e "$1" ]; then "$mount" -n --bind /dev/null "$1"
  fi || { echo "${confineFailure} $1" >&2; exit 125; }
  shift; n=$((n-1))
done
"$@"
exit $?
`;

function hiddenPaths({ hidden, cwd }: ConfineOptions): readonly string[] {
  // If the folder does not exist, the start itself will report it.
  const here = existsSync(cwd) ? realpathSync(cwd) : cwd;
  const paths = hidden.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  return [...new Set(paths)].filter((path) => !isInside(here, path));
}

/**
 * Waits for the end of its input, then kills until a search finds no more processes. An argument never has
 * the mark right after its name, so that neither this shell nor its search is found. Without /proc, `ps`
 * shows environments.
 */
const sweepScript = `
name=$1; mark=$2
trap '' HUP INT TERM
read -r _
search() {
  if [ -r /proc/self/environ ]; then
    grep -lasF "$name=$mark" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
  else
    ps -axww -E -o pid=,command= | awk -v n="$name" -v m="$mark" 'index($0, n "=" m) { print $1 }'
  fi
}
round=0
while [ "$round" -lt 100 ]; do
  found=0
  for pid in $(search); do
    [ "$pid" = "$$" ] || { kill -KILL "$pid" && found=1; } 2>/dev/null
  done
  [ "$found" = 0 ] && exit 0
  round=$((round+1))
done
`;
