/** A user with Codex, as the tests need them: a HOME whose config.toml points to a scripted upstream, a repository, PATH. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { EventBody } from '../../src/events/collab-event.ts';
import type { ConsultRequest } from '../../src/prompts/request.ts';
import type { Agent, OpenOptions, TurnRequest, TurnResult } from '../../src/providers/contract.ts';
import { codexProvider } from '../../src/providers/codex/codex_client.ts';
import { exchangeSpecOf } from '../../src/tags/tags.ts';

export const codexBin = resolve(import.meta.dirname, 'node_modules/.bin');

/** A shell command line that runs another one (`<name> <program> <arguments>`) where no user namespace can be made. */
export const withoutNamespaces =
  'unshare -Ur sh -c \'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"\'';

/** Nothing is skipped: without the real binary there is nothing to test. */
if (!existsSync(join(codexBin, 'codex'))) {
  throw new Error('the real codex is not installed: run `npm run test:agents`');
}

export interface World {
  readonly root: string;
  readonly home: string;
  /** The user's CODEX_HOME. */
  readonly codexHome: string;
  readonly repository: string;
  readonly reviewFolder: string;
  readonly env: Readonly<Record<string, string>>;
  options(changes?: Partial<OpenOptions>): OpenOptions;
  open(changes?: Partial<OpenOptions>): Promise<Agent>;
  /** Ends every agent that was opened and removes all files. */
  close(): Promise<void>;
}

export interface WorldOptions {
  /** What `base_url` says. */
  readonly url: string;
  /** Whether the built-in provider is pointed to the upstream instead of a custom one. */
  readonly builtIn?: boolean;
}

export function createWorld({ url, builtIn = false }: WorldOptions): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-agents-')));
  const folder = (...parts: readonly string[]): string => {
    const path = join(root, ...parts);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const home = folder('home');
  const codexHome = folder('home', '.codex');
  const repository = folder('repository');
  folder('repository', '.git');
  const reviewFolder = folder('review');
  writeFileSync(join(reviewFolder, 'total.ts'), 'export const total = 1;\n');
  const choice = builtIn ? `openai_base_url = "${url}"\n` : 'model_provider = "scripted"\n';
  writeFileSync(join(codexHome, 'config.toml'), `model = "gpt-5.5"\n${choice}${customProvider(url)}`);
  const env: Record<string, string> = {
    HOME: home,
    PATH: `${codexBin}:/usr/bin:/bin`,
    SCRIPTED_KEY: 'sk-scripted',
    ...(builtIn && { CODEX_API_KEY: 'sk-builtin' }),
  };

  const opened: Agent[] = [];
  let runs = 0;
  const options = (changes: Partial<OpenOptions> = {}): OpenOptions => ({
    env,
    cwd: repository,
    settings: {},
    signal: new AbortController().signal,
    runId: 'run-1',
    model: null,
    stateFolder: join(root, 'state', `run-${(runs += 1)}`),
    reviewFolder: null,
    limits: { firstSignMs: 30_000, idleMs: 30_000, totalMs: 50_000 },
    ...changes,
  });
  return {
    root,
    home,
    codexHome,
    repository,
    reviewFolder,
    env,
    options,
    async open(changes) {
      const agent = await codexProvider.open(options(changes));
      opened.push(agent);
      return agent;
    },
    async close() {
      await Promise.all(opened.map((agent) => agent.close()));
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface Asked {
  readonly result: TurnResult;
  readonly events: readonly EventBody[];
  readonly bound: readonly string[];
}

/** One turn, with what it said on the way. */
export async function ask(agent: Agent, prompt: string, changes: Partial<TurnRequest> = {}): Promise<Asked> {
  const events: EventBody[] = [];
  const bound: string[] = [];
  const result = await agent.turn({
    request: consult,
    prompt,
    callId: 'call-1',
    sessionId: null,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    bind: async (sessionId) => void bound.push(sessionId),
    ...changes,
  });
  return { result, events, bound };
}

/** The session of a result that has one. */
export function sessionOf({ result }: Asked): string {
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
