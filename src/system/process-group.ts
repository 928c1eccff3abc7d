/** Process groups that we lead: every child is started `detached`, so its pid is the id of its group. */

const liveGroups = new Set<number>();

/** Remembers a group until the returned function is called, so that the one signal handler can end what is left. */
export function trackGroup(pid: number): () => void {
  liveGroups.add(pid);
  return () => {
    liveGroups.delete(pid);
  };
}

/** The last act of a dying process: every group that still lives is killed, at once and synchronously. */
export function killTrackedGroups(): void {
  for (const pid of liveGroups) signalGroup(pid, 'SIGKILL');
  liveGroups.clear();
}

/** False when nobody is left in the group. Windows has no groups: there the signal reaches the child alone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // ESRCH: gone already. EPERM: the members left are no longer ours to signal. Neither leaves us anything to do.
    return false;
  }
}
