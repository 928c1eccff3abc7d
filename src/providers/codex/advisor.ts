/** The advisor of the provider `codex`: the native program as `codex app-server`, with JSON-RPC over a pipe that we own. */
import { isDeepStrictEqual } from 'node:util';
import { CollabError } from '../../errors/collab-error.ts';
import { refusedProbe } from '../contract/refused-probe.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { removeTree } from '../../system/files/tree.ts';
import type {
  AdvisorProvider,
  Agent,
  OpenOptions,
  PromptAgent,
  ProviderEnvironment,
} from '../contract/contract.ts';
import { createAgent, promptLimit } from './turn/agent.ts';
import { connect } from './launch/connect.ts';
import { launchOptions, type CodexLaunch } from './launch/launch-profile.ts';
import { destinationOf } from './launch/destination.ts';
import { beginServer, endServer, stopServer, takeServer, type EarlyServer } from './launch/early-server.ts';
import { makeSeed, removeSeed } from './launch/home-seed.ts';
import { leaveFacts, takeFacts, type LearnedFacts } from './launch/learned-facts.ts';
import { prepare, type PreparedCodex } from './launch/prepare.ts';
import { programVersion, tooOld } from './launch/program-version.ts';
import { startThread } from './turn/threads.ts';

export const codexProvider: AdvisorProvider = {
  name: 'codex',
  roles: ['advisor'],
  authMode: 'cli_login',
  assurance: 'model',
  promptLimit,

  warmUp(environment, run) {
    if (run === null) leaveFacts(environment, learnFacts(environment), 'warm_up');
    else beginServer(environment, run);
  },

  coolDown: endServer,

  async probe(environment) {
    const learning = takeFacts(environment, ['warm_up']) ?? learnFacts(environment);
    leaveFacts(environment, learning, 'probe');
    try {
      const { version, login, settings } = await learning;
      return { ready: true, version, login: login.label, model: settings.model };
    } catch (error) {
      return refusedProbe(error);
    }
  },

  open: openCodex,
};

/** @throws CollabError `cli_missing`, `auth`, `options` */
export async function openCodex(options: OpenOptions): Promise<Agent & PromptAgent> {
  const early = takeServer(options.stateFolder);
  const known = takeFacts(options, ['warm_up', 'probe']);
  try {
    const prepared = await prepare(options, {
      stateFolder: options.stateFolder,
      timeoutMs: options.limits.firstSignMs,
      withSandbox: options.reviewFolder !== null,
      withSeed: true,
      known,
      trial: early?.trial ?? null,
    });
    return await openWith(prepared, options, (await early?.server) ?? null);
  } catch (error) {
    await stopServer((await early?.server) ?? null);
    throw error;
  }
}

async function openWith(
  prepared: PreparedCodex,
  options: OpenOptions,
  early: EarlyServer | null,
): Promise<Agent & PromptAgent> {
  const reviewFolder = prepared.sandbox?.works === true ? options.reviewFolder : null;
  const launch = launchOptions(
    { ...prepared, secrets: prepared.login.secrets },
    { ...options, reviewFolder },
  );
  const { connected, started } = await serverFor(launch, early);
  if (!connected.ok) {
    await removeSeed(prepared.seed);
    if (connected.ability !== null) throw tooOld(prepared.program, connected.ability);
    throw new CollabError(
      connected.missing ? 'cli_missing' : 'options',
      `Codex does not start: ${connected.message}`,
      {
        hint: 'Run `collab doctor`.',
      },
    );
  }
  const { connection } = connected;
  const first = started ?? (await startThread(connection.rpc, launch));
  if (!first.ok) {
    await connection.stop();
    await removeSeed(prepared.seed);
    throw new CollabError('options', `Codex does not open a conversation: ${first.message}`, {
      hint: `Codex ${connection.version ?? 'of unknown version'} is installed; collab is tested with ${testedVersion}.`,
    });
  }
  const agent = createAgent({
    identity: {
      provider: 'codex',
      displayName: 'Codex',
      version: connection.version,
      model: first.thread.model,
      login: prepared.login.label,
      destination: destinationOf(prepared.settings, prepared.login),
      remarks: launch.runsCommands ? [] : ['no repository access'],
    },
    limits: options.limits,
    place: launch,
    connect: () => connect(launch),
    first: connection,
    spare: first.thread,
  });
  return besideSeed(agent, prepared, options);
}

/** Returns the server that was started early, if it was started in exactly this way and still runs; otherwise a new one. */
async function serverFor(
  launch: CodexLaunch,
  early: EarlyServer | null,
): Promise<Pick<EarlyServer, 'connected' | 'started'>> {
  if (early?.connected.ok === true && early.started?.ok === true && isDeepStrictEqual(early.launch, launch))
    return early;
  await stopServer(early);
  return { connected: await connect(launch), started: null };
}

/** The version with which the launch profile and the table of failures were measured. */
export const testedVersion = '0.169.0';

async function learnFacts(environment: ProviderEnvironment): Promise<LearnedFacts> {
  const stateFolder = makeTemporaryFolder('collab-codex-');
  try {
    const options = { stateFolder, timeoutMs: probeTimeoutMs, withSandbox: false, withSeed: false };
    const prepared = await prepare(environment, options);
    const version = await programVersion(prepared, environment.signal);
    return { settings: prepared.settings, login: prepared.login, version };
  } finally {
    await removeTree(stateFolder);
  }
}

const probeTimeoutMs = 30_000;

/** Makes the seed for later runs while the model thinks. Only the first run may end a moment later because of it. */
function besideSeed(
  agent: Agent,
  { program, seed, path, platform }: PreparedCodex,
  options: OpenOptions,
): Agent {
  const { env, signal } = options;
  const seeded = makeSeed({ program, seed, env, path, platform, timeoutMs: seedTimeoutMs, signal });
  return {
    ...agent,
    async close() {
      await Promise.all([agent.close(), seeded]);
    },
  };
}

const seedTimeoutMs = 5000;
