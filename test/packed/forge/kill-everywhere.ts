/** Kills a command at the requests that it sends to a loopback host, before and after their effect, and runs it again. */
import { onTestFinished } from 'vitest';
import { pointsFrom, somePoints } from '../../setup/points.ts';
import type { Place } from '../place.ts';
import type { StartedCommand } from '../started-command.ts';

interface KillableHost {
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** The options of a loopback host by which a request is noticed. */
export interface RequestHooks {
  readonly onRequest: () => void;
  readonly beforeRequest: () => boolean;
}

/** A request of the command, from 1, and whether it has its effect before the command is killed. */
interface Point {
  readonly at: number;
  readonly isDone: boolean;
}

export interface Killing<Host extends KillableHost> {
  readonly open: (hooks: RequestHooks) => Promise<Host>;
  /** Returns the arguments of the command that is killed. */
  readonly prepare: (host: Host) => Promise<readonly string[]>;
  /** Checks the state after the command ran again. */
  readonly check: (host: Host, point: Point | null) => void;
  /** Points of a usual run. Default: all. */
  readonly points?: number;
}

/** Returns the number of requests of the command. */
export async function killEverywhere<Host extends KillableHost>(
  place: Place,
  killing: Killing<Host>,
): Promise<number> {
  const count = await killAt(place, killing, null);
  const all = pointsFrom(1, count).flatMap((at) => [true, false].map((isDone): Point => ({ at, isDone })));
  for (const point of somePoints(all, killing.points ?? all.length)) await killAt(place, killing, point);
  return count;
}

async function killAt<Host extends KillableHost>(
  place: Place,
  { open, prepare, check }: Killing<Host>,
  point: Point | null,
): Promise<number> {
  let started: StartedCommand | null = null;
  let sent = 0;
  const kill = (isDone: boolean): boolean => {
    const isNow = started !== null && sent === point?.at && isDone === point.isDone;
    if (isNow) started?.kill('SIGKILL');
    return isNow;
  };
  const host = await open({
    beforeRequest() {
      if (started !== null) sent += 1;
      return !kill(false);
    },
    onRequest: () => void kill(true),
  });
  onTestFinished(() => host.close());
  const args = await prepare(host);
  started = place.start(args, { env: host.env });
  const { code } = await started.ended;
  if (code !== (point === null ? 0 : null))
    throw new Error(`${JSON.stringify(point)}: it ended with ${code}`);
  started = null;
  const again = await place.collab(args, { env: host.env });
  if (again.code !== 0) throw new Error(`${JSON.stringify(point)}: ${again.stderr}`);
  check(host, point);
  return sent;
}
