/** Process groups that we lead: every child is started `detached`, so its pid is its group's id. */
import { setTimeout } from 'node:timers/promises';

const liveGroups = new Set<number>();

/** Tracks a group until the returned function is called, so that the one signal handler can end what is left. */
export function trackGroup(pid: number): () => void {
  liveGroups.add(pid);
  return () => {
    liveGroups.delete(pid);
  };
}

/** Kills every living group at once, synchronously, just before this process ends. */
export function killTrackedGroups(): void {
  for (const pid of liveGroups) signalGroup(pid, 'SIGKILL');
  liveGroups.clear();
}

/**
 * Kills a group and resolves when it has no members, so that its files stay as they are. Zombies that no
 * init process collects, as in some containers, are waited for only briefly.
 */
export async function endGroup(pid: number): Promise<void> {
  let isLeft = signalGroup(pid, 'SIGKILL');
  for (let waits = 0; isLeft && waits < mostWaits; waits += 1) {
    await setTimeout(waitMs);
    isLeft = signalGroup(pid, 'SIGKILL');
  }
}

const waitMs = 5;
const mostWaits = 100;

/** Returns false if the group has no members. Windows has no groups: there the signal reaches only the child. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // ESRCH: it has ended. EPERM: the remaining members are not ours to signal. Either way there is nothing to do.
    return false;
  }
}
