/** A server with something of everything that a path can name, and the callers that it knows. */
import { basename, join } from 'node:path';
import { z } from 'zod';
import { smallDiff, wholeAnswer } from '../../../src/runs/rehearsed-review.test-helper.ts';
import { openConversations } from '../../../src/server/conversations/conversations.ts';
import { executor } from '../../../src/server/served.test-helper.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { serveWorld, type ServedWorld } from '../served-folder.ts';
import { issue, review } from '../../contract/workflow/workflow-script.ts';
import { sendRequest } from './send-request.ts';

export interface ContractWorld extends Pick<ServedWorld, 'port' | 'faults' | 'ask'> {
  readonly callers: readonly Caller[];
  /** The first one waits for an answer; it is replaced when it has ended. */
  readonly places: () => readonly Place[];
  /** A token that is valid, for the routes that take one as their body. */
  readonly token: string;
  /** Starts a run that waits for an answer, if none does. */
  readonly refill: () => Promise<void>;
}

/** What exists, by the path parameter that names it, as it is on the wire. */
export type Place = Readonly<Record<'tenant' | 'conversation' | 'run' | 'digest' | 'name', string>>;

export interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The tenants of the caller: their routes may answer it. */
  readonly tenants: readonly string[];
  /** True without a token on an open server: such a caller may name any tenant. */
  readonly isAnyone: boolean;
}

const runEnded = /"type":"run\.ended"[^\n]*\n\n/;

/** The conversation of a review of the working tree, with a Minor finding. */
export const keptConversation = 'kept';

const turns = [
  {
    when: { contains: 'asksBack', attempt: 1 },
    repeat: 'forever',
    answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currencies are there?\n',
  },
  {
    when: { contains: 'export const total = 2' },
    repeat: 'forever',
    answer: review(issue('Minor', 'It is two', 'export const total = 2;')).replaceAll(
      'src/one.js',
      'total.ts',
    ),
  },
  { when: { work: 'converse' }, repeat: 'forever', answer: 'Hello.' },
  { repeat: 'forever', answer: wholeAnswer },
];

const tenants = ['local', 'acme'] as const;
const base = (tenant: string, conversation: string): string =>
  `/api/tenants/${tenant}/conversations/${conversation}`;

/** @param requiresToken true as on an address that other machines reach */
export async function contractWorld(requiresToken: boolean): Promise<ContractWorld> {
  const world = await serveWorld({ turns, flags: { requireToken: requiresToken } });
  const createToken = (tenant: string, ...grants: readonly string[]) =>
    world.tokens.create({ tenant, label: null, expiresInMs: null, grants });
  const secretOf = (tenant: string, ...grants: readonly string[]): string =>
    createToken(tenant, ...grants).secret;
  const revoked = createToken('local', 'owner');
  world.tokens.revoke(revoked.credential.id);
  if (world.tokens.find(revoked.secret) !== null) throw new Error('the token was to be revoked');
  const secrets = {
    local: secretOf('local', 'owner'),
    acme: secretOf('acme'),
    granted: secretOf('acme', 'run', 'tool:Read', `repo:${basename(world.root)}`),
    other: secretOf('other'),
    revoked: revoked.secret,
  };

  /** Starts a run, and waits for the words of its records that `until` finds. */
  async function begin(
    tenant: 'local' | 'acme',
    conversation: string,
    body: object,
    until: RegExp,
  ): Promise<Place> {
    const headers = bearer(secrets[tenant]);
    const path = `${base(tenant, conversation)}/runs`;
    const answer = await world.ask(path, { method: 'POST', body, headers });
    if (answer.status !== 201) throw new Error(`no run was started: ${answer.text}`);
    const { run_id: run } = startedSchema.parse(answer.json());
    const sent = { method: 'GET', path: `${path}/${run}/events`, headers, body: null };
    const { text } = await sendRequest(world.port, sent, until);
    const digest = /"prompt_ref":"([0-9a-f]{64})"/.exec(text)?.[1] ?? '';
    const name = encodeURIComponent(
      /"type":"question\.asked".*?"name":"([^"]+)"/.exec(text)?.[1] ?? 'no question',
    );
    return { tenant, conversation, run, digest, name };
  }

  async function beginWaiting(): Promise<Place> {
    const diff = smallDiff.replaceAll('total', 'asksBack');
    const body = { kind: 'review', lead: 'caller', input: { diff } };
    return begin('local', 'waits', body, /"type":"question\.asked"[^\n]*\n\n/);
  }

  // The only one whose files are kept and whose finding is of the repository.
  const kept = { kind: 'review', input: {}, include: ['total.ts'] };
  const ended: Place[] = [await begin('local', keptConversation, kept, runEnded)];
  for (const tenant of tenants) {
    const headers = bearer(secrets[tenant]);
    const body = { kind: 'review', input: { diff: smallDiff } };
    const place = await begin(tenant, 'first', body, runEnded);
    const message = { user_input: 'Hello?', executor };
    const said = base(tenant, 'said');
    await world.ask(`${said}/stream`, { method: 'POST', headers, body: message });
    const [turn] = listSchema.parse((await world.ask(`${said}/runs`, { headers })).json()).runs;
    fill(world.root, tenant);
    ended.push(
      place,
      { ...place, conversation: 'said', run: turn?.run_id ?? '' },
      { ...place, conversation: 'full' },
    );
  }
  let waiting = await beginWaiting();

  async function refill(): Promise<void> {
    const headers = bearer(secrets.local);
    const conversation = base('local', 'waits');
    const { state } = runSchema.parse(
      (await world.ask(`${conversation}/runs/${waiting.run}`, { headers })).json(),
    );
    if (state !== 'ended') return;
    // The last event of a stream is sent when the conversation is free again.
    await world.ask(`${conversation}/stream?after=${waiting.run}:0`, { headers });
    waiting = await beginWaiting();
  }

  const cookie = await cookieOf(world, secrets.acme);
  const anyone = requiresToken ? nobody : { tenants: ['local', 'acme', 'other'], isAnyone: true };
  return {
    port: world.port,
    faults: world.faults,
    ask: world.ask,
    places: () => [waiting, ...ended],
    token: secrets.acme,
    refill,
    callers: [
      { name: 'the owner', headers: bearer(secrets.local), tenants: ['local'], isAnyone: false },
      { name: 'a caller without a token', headers: {}, ...anyone },
      { name: 'a guest', headers: bearer(secrets.acme), tenants: ['acme'], isAnyone: false },
      { name: 'a guest with grants', headers: bearer(secrets.granted), tenants: ['acme'], isAnyone: false },
      // A cookie that was given back counts as none.
      {
        ...anyone,
        name: 'a guest with a cookie',
        headers: { ...cookie, ...originOf(world) },
        tenants: ['acme'],
      },
      { name: 'another tenant', headers: bearer(secrets.other), tenants: ['other'], isAnyone: false },
      { name: 'a revoked token', headers: bearer(secrets.revoked), ...nobody },
      { name: 'a page from elsewhere', headers: { ...cookie, origin: 'http://evil.example' }, ...nobody },
      { name: 'another host name', headers: { host: 'evil.example' }, ...nobody },
    ],
  };
}

const nobody = { tenants: [], isAnyone: false } as const;

const startedSchema = z.object({ run_id: z.string() });
const runSchema = z.object({ run_id: z.string(), state: z.string() });
const listSchema = z.object({ runs: z.array(runSchema) });

function bearer(secret: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${secret}` };
}

function originOf({ port }: ServedWorld): Readonly<Record<string, string>> {
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` };
}

async function cookieOf({ ask }: ServedWorld, token: string): Promise<Readonly<Record<string, string>>> {
  const { headers } = await ask('/api/session', { method: 'POST', body: { token } });
  return { cookie: headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '' };
}

/** Records that the context of the conversation `full` is full. */
function fill(root: string, tenant: string): void {
  const conversations = openConversations(join(root, '.collab'), systemClock);
  conversations.change(conversations.place(tenant, 'full'), (before) => ({ ...before, can_continue: false }));
}
