import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import type { EventBody } from '../../src/events/collab-event.ts';
import { eventStream } from '../fixtures/screens/event-streams.ts';
import { example, type Place } from '../packed/place.ts';
import { beginWrittenRun, serve, type Served } from '../packed/serve/served.ts';
import { shared } from '../packed/shared-place.ts';

const api = (served: Served) => `${served.url}/api/tenants/local/conversations`;

/** One server for all tests of a file, which plays this script as advisor and as lead. */
export function sharedServer(script: object): { place: () => Place; served: () => Served } {
  const world = shared(async (place) => ({ place, served: await servePair(place, script) }));
  return { place: () => world().place, served: () => world().served };
}

/** Of `examples/checkout.diff`. */
export function rehearsedReview(): object {
  return z.looseObject({}).parse(parse(readFileSync(example('rehearsal.yaml'), 'utf8')));
}

/** A server in a git repository, whose advisor is rehearsed, and whose lead if the script has one. */
export async function servePair(place: Place, script: object, args: readonly string[] = []): Promise<Served> {
  place.git('init', '-q');
  place.git('commit', '-q', '--allow-empty', '-m', 'base');
  place.write('pair.yaml', stringify(script));
  const agents = 'lead' in script ? ['--advisor', '--lead'] : ['--advisor'];
  return serve(place, [...agents.flatMap((flag) => [flag, 'rehearsal:pair.yaml']), ...args]);
}

/** @returns the run's id */
export async function startRun(
  served: Served,
  conversation: string,
  body: unknown,
  token?: string,
): Promise<string> {
  const response = await fetch(`${api(served)}/${conversation}/runs`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return z.object({ run_id: z.string() }).parse(await response.json()).run_id;
}

const endSchema = z.looseObject({ outcome: z.string().nullable() });

/** The stream of a run's events closes when it has ended. @returns its outcome */
export async function untilEnded(served: Served, [conversation, run]: RunPlace): Promise<string | null> {
  const address = `${api(served)}/${conversation}/runs/${run}`;
  await (await fetch(`${address}/events`)).text();
  return endSchema.parse(await (await fetch(address)).json()).outcome;
}

/** A review that has ended; made once for all tests that show it. */
export function reviewedOnce(
  served: () => Served,
  conversation: string,
  diff: string,
): () => Promise<RunPlace> {
  let made: Promise<RunPlace> | null = null;
  return () =>
    (made ??= (async () => {
      const run = [
        conversation,
        await startRun(served(), conversation, { kind: 'review', input: { diff } }),
      ] as const;
      await untilEnded(served(), run);
      return run;
    })());
}

/**
 * Writes a run that no server drives, with the name of its conversation. @returns a function that continues it: it
 * takes all events and writes the new ones
 */
export function writeRun(
  place: Place,
  name: string,
  bodies: readonly EventBody[],
): (all: readonly EventBody[]) => void {
  const run = beginWrittenRun(place, name, name);
  let written = 0;
  const write = (all: readonly EventBody[]) => {
    const events = eventStream(all).map((event) => ({ ...event, run_id: name, conversation_id: name }));
    run.write(events.slice(written));
    written = events.length;
  };
  write(bodies);
  return write;
}

/** The diff of a file that is new. */
export function newFile(path: string, lines: readonly string[]): string {
  const head = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}`;
  return `${head}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
}

export type RunPlace = readonly [conversation: string, run: string];

export function addressOf(served: Served, [conversation, run]: RunPlace, tab?: string): string {
  return `${served.url}/#/c/${conversation}/r/${run}${tab === undefined ? '' : `/${tab}`}`;
}

/** @param address of the page, whole or behind the server's */
export async function open(page: Page, served: Served, address: string): Promise<void> {
  await page.goto(new URL(address, served.url).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
}
