/** A server of a folder of its own, on a real socket in this process, with agents that play a script. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { readCommand } from '../../src/cli/program.ts';
import type { ServeFlags } from '../../src/cli/commands/serve-command.ts';
import { openServer } from '../../src/cli/serve/serve.ts';
import type { Session } from '../../src/cli/session.ts';
import { systemClock } from '../../src/system/clock.ts';
import { openCredentials, type Credentials } from '../../src/server/access/tokens-and-sessions.ts';
import { base, executor } from '../../src/server/served.test-helper.ts';
import { openServerFolder } from '../../src/server/access/server-folder.ts';
import { scratchFolder, scratchRepository, type ScratchRepository } from '../fixtures/scratch-repository.ts';

export interface ServedWorld {
  readonly url: string;
  readonly port: number;
  readonly root: string;
  /** The folder for the server's data that belongs to no project. */
  readonly state: string;
  readonly tokens: Credentials;
  /** The faults that the server reported as its own. */
  readonly faults: readonly string[];
  readonly ask: (path: string, options?: AskOptions) => Promise<Answer>;
  /** Sends a message in the conversation `first`; resolves with the whole stream. */
  readonly say: (text: string, how?: SayOptions) => Promise<string>;
  /** Sends exact bytes, for requests that no client would send; resolves with the whole response. */
  readonly askRaw: (text: string) => Promise<string>;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: object | string;
}

export interface SayOptions extends Pick<AskOptions, 'headers'> {
  /** Default `local`. */
  readonly tenant?: string;
  readonly tokens?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: () => unknown;
}

export interface ServedOptions {
  /** The answers of the advisor and of the lead, in order. */
  readonly turns?: readonly object[];
  readonly flags?: Partial<ServeFlags>;
  /** An existing folder, in place of a repository with a change. */
  readonly root?: string;
}

export async function serveWorld(options: ServedOptions = {}): Promise<ServedWorld> {
  const { root, env: inherited } =
    options.root === undefined ? changedRepository(options) : { root: options.root, env: {} };
  const home = join(root, '.collab');
  const state = scratchFolder();
  const env = { PATH: process.env['PATH'], ...inherited, XDG_STATE_HOME: state };
  const faults: string[] = [];
  const session = sessionIn(root, env, { err: (fault) => void faults.push(fault) });
  const flags: ServeFlags = {
    port: 0,
    host: '127.0.0.1',
    advisor: 'rehearsal:script.yaml',
    lead: 'rehearsal:script.yaml',
    language: 'en',
    ...options.flags,
  };
  const server = await openServer(session, flags, readCommand);
  onTestFinished(() => server.stop());
  const port = Number(new URL(server.url).port);
  const folder = openServerFolder({ home, env, clock: systemClock });
  return {
    url: server.url,
    port,
    root,
    state,
    tokens: openCredentials(folder, 'token', systemClock),
    faults,
    ask: (path, how = {}) => ask(port, path, how),
    async say(text, { tenant, headers = {}, tokens = {} } = {}) {
      const body = { user_input: text, executor, tokens };
      return (await ask(port, `${base('first', tenant)}/stream`, { method: 'POST', headers, body })).text;
    },
    askRaw: (text) => askRaw(port, text),
  };
}

const questionsSchema = z.object({
  questions: z.array(z.object({ name: z.string(), kind: z.string(), text: z.string() })),
});

/** Waits until the run asks a question other than `before`. */
export async function openQuestion(world: ServedWorld, run: string, before?: string) {
  const look = async () =>
    questionsSchema.parse((await world.ask(run)).json()).questions.filter(({ name }) => name !== before);
  await expect.poll(look, { timeout: 20_000 }).toHaveLength(1);
  const [question] = await look();
  if (question === undefined) throw new Error('the run asks nothing');
  return question;
}

/** Returns the path of the run. */
export async function beginReview(world: ServedWorld, fields: object = {}): Promise<string> {
  const begun = await world.ask(`${base('first')}/runs`, {
    method: 'POST',
    body: { kind: 'review', ...fields },
  });
  expect(begun.status).toBe(201);
  return begun.headers.location ?? '';
}

function changedRepository({ turns = [] }: ServedOptions): ScratchRepository {
  const repository = scratchRepository();
  repository.write('total.ts', 'export const total = 1;\n');
  repository.write('script.yaml', stringify({ agent: { name: 'Codex' }, turns }));
  repository.commit('first');
  repository.write('total.ts', 'export const total = 2;\n');
  return repository;
}

/** A command's, without a terminal. */
export function sessionIn(cwd: string, env: Session['env'], given: Partial<Session> = {}): Session {
  return {
    cwd,
    env,
    clock: systemClock,
    signal: new AbortController().signal,
    holdInterrupt: () => () => undefined,
    endedBy: () => null,
    stdin: process.stdin,
    out: () => undefined,
    err: () => undefined,
    screen: {
      columns: 80,
      color: { out: false, err: false },
      interactive: { out: false, err: false },
      movesCursor: true,
    },
    ...given,
  };
}

/** The path is sent unchanged: `fetch` would normalize it. */
function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: AskOptions,
): Promise<Answer> {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const kind = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port, path, method, headers: { ...kind, ...headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const whole = Buffer.concat(chunks).toString('utf8');
          const { statusCode: status = 0 } = response;
          resolve({ status, headers: response.headers, text: whole, json: () => JSON.parse(whole) });
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

function askRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
