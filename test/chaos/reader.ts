/** Readers of a run in other processes than those that drive it: they leave and come back on the way. */
import { createFrameReader, type StreamFrame } from '../../src/client/read-frames.ts';
import type { JournalLine } from '../../src/engine/journal/journal-line.ts';
import type { Engine } from '../../src/runs/engine/engine.ts';
import type { RunFolder } from '../../src/runs/folder/run-folder.ts';
import { nap } from '../../src/system/nap.ts';
import { readStream } from '../packed/serve/stream-reader.ts';
import type { ServerMember } from './fleet.ts';
import { conversationAt } from './served-runs.ts';

export interface ReaderOptions {
  readonly run: RunFolder;
  /** The numbers of lines after which it opens the run again, behind its last record. */
  readonly leaveAfter: readonly number[];
  readonly onLine?: (line: JournalLine) => void;
}

/** Resolves with all lines in the order in which they came. */
export async function readRun(
  engine: Pick<Engine, 'events'>,
  options: ReaderOptions,
): Promise<readonly string[]> {
  const lines: string[] = [];
  let last = 0;
  for (const most of [...options.leaveAfter, Number.POSITIVE_INFINITY]) {
    const leaving = new AbortController();
    for await (const batch of engine.events(options.run, last, leaving.signal)) {
      for (const line of batch) {
        lines.push(line.text);
        last = line.event.seq;
        options.onLine?.(line);
      }
      if (lines.length >= most) leaving.abort();
    }
  }
  return lines;
}

export interface StreamOptions {
  readonly conversation: string;
  /** The numbers of bytes after which it cuts its connections. */
  readonly leaveAfter: readonly number[];
}

/**
 * Reads a conversation's stream at one server and continues at the next one whenever its connection ends. Resolves with the
 * digest of all events. @throws Error if one is missing or comes twice
 */
export function readServed(
  servers: readonly ServerMember[],
  { conversation, leaveAfter }: StreamOptions,
): Promise<string> {
  const next = inTurn(servers);
  const url = (): string => `${conversationAt(next(), conversation)}/stream`;
  return readStream(url, { cutAfter: leaveAfter.values() }).whole;
}

export interface RecordsOptions {
  readonly conversation: string;
  readonly runId: string;
}

/** Reads the records of a run the same way; resolves with all lines in the order in which they came. */
export async function readServedRecords(
  servers: readonly ServerMember[],
  { conversation, runId }: RecordsOptions,
): Promise<readonly string[]> {
  const next = inTurn(servers);
  const frames: StreamFrame[] = [];
  for (;;) {
    const url = `${conversationAt(next(), conversation)}/runs/${runId}/events`;
    const headers = { 'last-event-id': frames.at(-1)?.id ?? '0' };
    const response = await fetch(url, { headers }).catch(() => null);
    if (response?.status === 204) return frames.map(({ data }) => data);
    if (response?.status === 200) await takeFrames(response, frames);
    else await nap(reconnectMs);
  }
}

const reconnectMs = 50;

/** Until the connection ends, in whichever way. */
async function takeFrames(response: Response, frames: StreamFrame[]): Promise<void> {
  const reader = createFrameReader();
  try {
    for await (const chunk of response.body ?? [])
      frames.push(...reader.feed(chunk).filter(({ event }) => event !== 'ping'));
  } catch {
    // The server is gone, or has lost its database.
  }
}

function inTurn(servers: readonly ServerMember[]): () => ServerMember {
  let connections = 0;
  return () => {
    const server = servers[connections % servers.length];
    connections += 1;
    if (server === undefined) throw new Error('there is no server');
    return server;
  };
}
