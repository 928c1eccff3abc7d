import { readFileSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { example, inPlace, type Place } from '../packed/place.ts';
import { serve, type Served } from '../packed/served.ts';

const api = (served: Served) => `${served.url}/api/tenants/local/conversations`;

/** One server for all tests of a file, which plays this script as advisor and as lead. */
export function sharedServer(script: object): { place: () => Place; served: () => Served } {
  let world: { readonly place: Place; readonly served: Served } | undefined;
  let leave: (() => void) | undefined;
  let left: Promise<void> = Promise.resolve();
  beforeAll(
    () =>
      new Promise<void>((resolve, reject) => {
        left = inPlace(async (place) => {
          world = { place, served: await servePair(place, script) };
          resolve();
          await new Promise<void>((done) => (leave = done));
          await world.served.kill();
        });
        left.catch(reject);
      }),
  );
  afterAll(async () => {
    leave?.();
    await left;
  });
  const known = () => {
    if (world === undefined) throw new Error('the server has not started');
    return world;
  };
  return { place: () => known().place, served: () => known().served };
}

/** Of `examples/checkout.diff`. */
export function rehearsedReview(): object {
  return z.looseObject({}).parse(parse(readFileSync(example('rehearsal.yaml'), 'utf8')));
}

/** A server in a git repository, whose advisor is rehearsed, and whose lead where the script has one. */
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

export type RunPlace = readonly [conversation: string, run: string];

export function addressOf(served: Served, [conversation, run]: RunPlace, tab?: string): string {
  return `${served.url}/#/c/${conversation}/r/${run}${tab === undefined ? '' : `/${tab}`}`;
}
