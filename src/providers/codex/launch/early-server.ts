/**
 * Starts a run's server while the change is still being read. It is a guess: `open` uses the server only if it would have
 * started the same program in the same way.
 */
import type { ExpectedRun, ProviderEnvironment } from '../../contract/contract.ts';
import { connect, type ConnectResult } from './connect.ts';
import { launchOptions, type CodexLaunch } from './launch-profile.ts';
import { layOut, type Layout } from './layout.ts';
import { leaveFacts } from './learned-facts.ts';
import { loginSecrets } from './login.ts';
import { learn, learnSettings } from './prepare.ts';
import { programVersion } from './program-version.ts';
import { rememberSettings } from './remembered-settings.ts';
import { trySandbox } from './remembered-sandbox.ts';
import type { SandboxProbe } from './sandbox-probe.ts';
import { userCodexHome } from './state-folders.ts';
import { startThread, type ThreadResult } from '../turn/threads.ts';
import type { UserSettings } from './user-settings.ts';

export interface EarlyServer {
  readonly launch: CodexLaunch;
  readonly connected: ConnectResult;
  /** A conversation that was started to check its isolation; null without a connection. */
  readonly started: ThreadResult | null;
}

interface Early {
  readonly server: Promise<EarlyServer | null>;
  readonly trial: Promise<SandboxProbe> | null;
  readonly giveUp: AbortController;
}

/** Servers by the folder of the run. */
const begun = new Map<string, Early>();

/** Stores its facts for `probe` and `open`; an error reaches the caller that takes them. */
export function beginServer(environment: ProviderEnvironment, run: ExpectedRun): void {
  const giveUp = new AbortController();
  const signal = AbortSignal.any([environment.signal, giveUp.signal]);
  const own = { ...environment, signal };
  const layout = attempt(() => layOut(environment, { stateFolder: run.stateFolder, withSeed: true }));
  const settings = layout.then((known) => settingsFor(own, known, run));
  settings.catch(nothing);
  const facts = layout.then(async (known) => ({
    ...(await learn(own, known, settings)),
    version: await programVersion(known, signal),
  }));
  leaveFacts(environment, facts, 'warm_up');
  const server = layout.then((known) => start(own, known, run, settings, giveUp.signal)).catch(nothing);
  const trial =
    run.reviewFolder === null
      ? null
      : layout.then((known) => trySandbox({ ...known, stateFolder: run.stateFolder, signal }));
  trial?.catch(nothing);
  begun.set(run.stateFolder, { server, trial, giveUp });
}

/** Returns the server and its sandbox trial once. */
export function takeServer(stateFolder: string): Pick<Early, 'server' | 'trial'> | null {
  const early = begun.get(stateFolder) ?? null;
  begun.delete(stateFolder);
  return early;
}

/** Ends the server. No part of it is left when this resolves. */
export async function endServer(stateFolder: string): Promise<void> {
  const early = begun.get(stateFolder);
  begun.delete(stateFolder);
  if (early === undefined) return;
  early.giveUp.abort();
  await Promise.all([stopServer(await early.server), early.trial?.catch(nothing)]);
}

export async function stopServer(server: EarlyServer | null): Promise<void> {
  if (server?.connected.ok === true) await server.connected.connection.stop();
}

async function settingsFor(
  environment: ProviderEnvironment,
  layout: Layout,
  { stateFolder, limits }: ExpectedRun,
): Promise<UserSettings> {
  const { program, platform } = layout;
  const codexHome = userCodexHome(environment.env);
  const memory = rememberSettings({ stateFolder, program, codexHome, platform });
  const known = memory.recall();
  if (known !== null) return known;
  const settings = await learnSettings(environment, layout, limits.firstSignMs);
  memory.keep(settings);
  return settings;
}

async function start(
  environment: ProviderEnvironment,
  layout: Layout,
  run: ExpectedRun,
  settings: Promise<UserSettings>,
  giveUp: AbortSignal,
): Promise<EarlyServer | null> {
  const { env, signal } = environment;
  const known = await settings;
  const secrets = loginSecrets({ settings: known, userEnv: env });
  const launch = launchOptions({ ...layout, settings: known, secrets }, { ...run, env });
  if (signal.aborted) return null;
  const connected = await connect({ ...launch, signal });
  if (!connected.ok) return { launch, connected, started: null };
  const { connection } = connected;
  // Without it, a server that does not answer would never be stopped.
  const stop = (): void => void connection.stop();
  giveUp.addEventListener('abort', stop, { once: true });
  return { launch, connected, started: await startThread(connection.rpc, launch) };
}

async function attempt<Value>(work: () => Value): Promise<Value> {
  return work();
}

function nothing(): null {
  return null;
}
