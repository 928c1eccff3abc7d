/** A user with Codex for the tests: a HOME whose config.toml points to a scripted upstream, a repository, PATH. */
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import type { ConsultRequest } from '../../../src/prompts/request.ts';
import type { Agent, OpenOptions, TurnRequest } from '../../../src/providers/contract/contract.ts';
import { codexProvider } from '../../../src/providers/codex/advisor.ts';
import { exchangeSpecOf } from '../../../src/tags/tags.ts';
import { startUpstream, type Upstream, type UpstreamOptions } from '../../upstream/responses-server.ts';
import { inOrder } from '../../upstream/steps.ts';
import {
  createAgentFolder,
  hearTurn,
  plainOptions,
  type AgentFolder,
  type HeardTurn,
} from '../agent-folder.ts';

export const codexBin = resolve(import.meta.dirname, '../node_modules/.bin');

/** A shell command line that runs another one (`<name> <program> <arguments>`) if no user namespace can be made. */
export const withoutNamespaces =
  'unshare -Ur sh -c \'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"\'';

/** Fails without the real binary instead of skipping tests. */
if (!existsSync(join(codexBin, 'codex'))) {
  throw new Error('the real codex is not installed: run `npm run test:agents`');
}

export interface World extends Pick<AgentFolder<Agent>, 'root' | 'place' | 'close'> {
  readonly home: string;
  /** The user's CODEX_HOME. */
  readonly codexHome: string;
  readonly repository: string;
  readonly reviewFolder: string;
  readonly env: Readonly<Record<string, string>>;
  options(changes?: Partial<OpenOptions>): OpenOptions;
  open(changes?: Partial<OpenOptions>): Promise<Agent>;
}

export interface ScriptedCodex {
  readonly upstream: Upstream;
  readonly world: World;
}

/** A world and its upstream, for all tests of a file; both are removed after the last of them. */
export async function startScriptedCodex(options: UpstreamOptions = {}): Promise<ScriptedCodex> {
  const upstream = await startUpstream(inOrder({ text: 'unscripted' }), options);
  const world = createWorld({ url: upstream.url });
  afterAll(async () => {
    await world.close();
    await upstream.close();
  });
  return { upstream, world };
}

export interface WorldOptions {
  /** The value of `base_url`. */
  readonly url: string;
  /** True to point the built-in provider to the upstream instead of a custom one. */
  readonly builtIn?: boolean;
}

export function createWorld({ url, builtIn = false }: WorldOptions): World {
  const { root, place, keep, nextStateFolder, close } = createAgentFolder<Agent>('collab-agents-');
  const home = join(root, 'home');
  const codexHome = join(home, '.codex');
  const repository = join(root, 'repository');
  const reviewFolder = join(root, 'review');
  mkdirSync(join(repository, '.git'), { recursive: true });
  place('review/total.ts', 'export const total = 1;\n');
  const choice = builtIn ? `openai_base_url = "${url}"\n` : 'model_provider = "scripted"\n';
  place('home/.codex/config.toml', `model = "gpt-5.5"\n${choice}${customProvider(url)}`);
  const env: Record<string, string> = {
    HOME: home,
    PATH: `${codexBin}:/usr/bin:/bin`,
    SCRIPTED_KEY: 'sk-scripted',
    ...(builtIn && { CODEX_API_KEY: 'sk-builtin' }),
  };
  const options = (changes: Partial<OpenOptions> = {}): OpenOptions => ({
    ...plainOptions(),
    env,
    cwd: repository,
    settings: {},
    stateFolder: nextStateFolder(),
    reviewFolder: null,
    ...changes,
  });
  const open: World['open'] = async (changes) => keep(await codexProvider.open(options(changes)));
  return { root, home, codexHome, repository, reviewFolder, env, options, place, open, close };
}

/** One turn, with its events. */
export function ask(agent: Agent, prompt: string, changes: Partial<TurnRequest> = {}): Promise<HeardTurn> {
  return hearTurn((call) => agent.turn({ ...call, request: consult, prompt, callId: 'call-1', ...changes }));
}

/** The session of a result that has one. */
export function sessionOf({ result }: HeardTurn): string {
  if (!('sessionId' in result) || result.sessionId === null) throw new Error(`no session: ${result.kind}`);
  return result.sessionId;
}

const consult: ConsultRequest = {
  tag: '[REQUEST:REVIEW]',
  question: 'Is it right?',
  sections: exchangeSpecOf('[REQUEST:REVIEW]').sections,
  required: [],
  optional: [],
  change: null,
  language: null,
};

function customProvider(url: string): string {
  return `
[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
requires_openai_auth = false
`;
}
