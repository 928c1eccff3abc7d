/** `collab serve` of the installed package, as a process that a test kills and starts again. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { openConversations, type ServedRun } from '../../../src/server/conversations/conversations.ts';
import { runFolderOf } from '../../../src/server/conversations/run-places.ts';
import { formOf } from '../../../src/server/served.test-helper.ts';
import type { Place } from '../place.ts';
import { until, type StartedCommand } from '../started-command.ts';

export interface Served {
  /** `http://127.0.0.1:40123`; stays over a restart. */
  readonly url: string;
  readonly pid: () => number;
  /** As when the machine goes down: no one is notified. */
  readonly kill: () => Promise<void>;
  /** At the address that it had. */
  readonly start: () => Promise<void>;
  readonly stderr: () => string;
}

/** @param args are added to the address; `env` is added to the place's environment */
export async function serve(
  place: Place,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  let port = 0;
  let url = '';
  let process: StartedCommand;

  async function start(): Promise<void> {
    process = place.start(['serve', '--port', String(port), '--json', ...args], { env });
    await until(
      () => `the server's address: ${process.stderr()}`,
      () => process.stdout().includes('\n'),
    );
    ({ url } = addressSchema.parse(JSON.parse(process.stdout())));
    port = Number(new URL(url).port);
  }

  await start();
  return {
    url,
    pid: () => process.pid(),
    async kill() {
      process.kill('SIGKILL');
      await process.ended;
    },
    start,
    stderr: () => process.stderr(),
  };
}

const addressSchema = z.object({ url: z.url() });

export function streamOf(served: Served, conversation: string): string {
  return `${served.url}/api/tenants/local/conversations/${conversation}/stream`;
}

export interface WrittenRun {
  readonly write: (events: readonly CollabEvent[]) => void;
}

/**
 * Sends a message; resolves when the answer's stream has begun. The stream is then closed: the run continues without a
 * reader.
 */
export async function say(served: Served, conversation: string, text: string): Promise<void> {
  const leaving = new AbortController();
  const { status } = await fetch(streamOf(served, conversation), {
    method: 'POST',
    body: formOf(text),
    signal: leaving.signal,
  });
  leaving.abort();
  if (status !== 200) throw new Error(`${text} was answered by ${status}`);
}

/** A run of a conversation that no server drives: its journal is written here. */
export function beginWrittenRun(place: Place, conversation: string, runId: string): WrittenRun {
  const conversations = openConversations(join(place.folder, '.collab'), systemClock);
  const where = conversations.place('local', conversation);
  const run: ServedRun = {
    run_id: runId,
    kind: 'review',
    title: 'a run',
    subject: null,
    state: 'ended',
    starts: 1,
    grants: [],
    token: null,
  };
  conversations.change(where, (before) => ({ ...before, runs: [...before.runs, run] }));
  const folder = runFolderOf(where, run);
  mkdirSync(folder, { recursive: true });
  return {
    write(events) {
      const lines = events.map((event) => `${JSON.stringify(event)}\n`);
      appendFileSync(journalFile(folder), lines.join(''));
    },
  };
}
