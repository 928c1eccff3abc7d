/** Keeps an event stream alive: a ping every ten seconds (R002-7). */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../system/clock.ts';
import type { ConnectionFlow } from './connection-flow.ts';
import type { FrameSource } from './event-stream-port.ts';

const pingMs = 10_000;

interface PingOptions {
  readonly source: Pick<FrameSource, 'ping'>;
  readonly response: ServerResponse;
  readonly clock: Clock;
}

/** Pings at intervals counted from the opening, only between the first event and `done` (X002-1). */
export async function sendPings(
  { source, response, clock }: PingOptions,
  flow: ConnectionFlow,
): Promise<void> {
  let dueAt = clock.now();
  let stalledAfter: number | null = null;
  while (!flow.over.aborted) {
    dueAt += pingMs * Math.max(1, Math.ceil((clock.now() - dueAt) / pingMs));
    await clock.sleep(dueAt - clock.now(), flow.over).catch(() => undefined);
    const isStalled = flow.isStalled();
    if (isStalled && stalledAfter === flow.drains()) response.destroy();
    stalledAfter = isStalled ? flow.drains() : null;
    if (!isStalled && !flow.stopped.aborted) response.write(source.ping());
  }
}
