/** A packed server with a bare model as lead and advisor, for guests with and without a token. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { smallDiff } from '../../../src/runs/rehearsed-review.test-helper.ts';
import { executor } from '../../../src/server/served.test-helper.ts';
import type { Place } from '../../packed/place.ts';
import { serve, type Served } from '../../packed/serve/served.ts';
import { modelName, openModel, type Model } from '../model.ts';
import { sendRaw, type RawAnswer } from '../raw-request.ts';

export const patient = { timeout: 120_000 };
/** A line of a file in the served repository. */
export const secret = 'correct-horse-battery-staple-9';

const madeSchema = z.looseObject({ id: z.string(), token: z.string() });
export const begunSchema = z.looseObject({ run_id: z.string() });

export interface Target extends Model {
  readonly place: Place;
  readonly served: Served;
  /** Returns the header of a new token. */
  token(
    tenant: string,
    ...args: readonly string[]
  ): Promise<{ readonly id: string; readonly headers: Record<string, string> }>;
  revoke(id: string): Promise<unknown>;
}

/** The model is on loopback and keeps the requests. */
export async function open(place: Place, args: readonly string[] = []): Promise<Target> {
  place.git('init', '-q');
  place.write('total.ts', 'export const total = 1;\n');
  place.write('private.txt', `${secret}\n`);
  for (const folder of ['skills/own', '.claude/skills/own']) {
    place.write(`${folder}/SKILL.md`, `---\nname: own\ndescription: Ours.\n---\n\n${secret}\n`);
  }
  place.git('add', '-A');
  place.git('commit', '-qm', 'first');
  const model = await openModel(place, { text: 'Understood.' });
  const { env } = model;
  const served = await serve(
    place,
    ['--lead', modelName, '--advisor', modelName, '--language', 'en', ...args],
    env,
  );
  return {
    ...model,
    place,
    served,
    async token(tenant, ...more) {
      const { stdout } = await place.collab(
        ['serve', 'token', 'create', '--tenant', tenant, '--json', ...more],
        { env },
      );
      const { id, token } = madeSchema.parse(JSON.parse(stdout));
      return { id, headers: { authorization: `Bearer ${token}` } };
    },
    revoke: (id) => place.collab(['serve', 'token', 'revoke', id], { env }),
  };
}

export const json = { 'content-type': 'application/json' };
export const guest = '/api/tenants/acme/conversations';
let conversations = 0;

export async function post(
  target: Target,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return sendRaw(target.served.url, path, { method: 'POST', headers: { ...json, ...headers }, body: text });
}

export function say(target: Target, text: string, extra: object = {}): Promise<RawAnswer> {
  return post(target, `${guest}/n${(conversations += 1)}/stream`, { user_input: text, executor, ...extra });
}

export function review(target: Target, fields: object): Promise<RawAnswer> {
  const body = { kind: 'review', input: { diff: smallDiff }, ...fields };
  return post(target, `${guest}/n${(conversations += 1)}/runs`, body);
}

export const isTouched = ({ place }: Target): boolean => existsSync(join(place.folder, 'pwned'));
