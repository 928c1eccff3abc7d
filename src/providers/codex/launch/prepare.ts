/** Collects the facts that a run with Codex needs: the user's settings, the login, whether the sandbox starts. */
import type { ProviderEnvironment } from '../../contract/contract.ts';
import { layOut, type Layout, type LayOutOptions } from './layout.ts';
import { findLogin, type CodexLogin } from './login.ts';
import { readUserSettings } from './read-user-settings.ts';
import { probeSandbox, type SandboxProbe } from './sandbox-probe.ts';
import type { UserSettings } from './user-settings.ts';

/** Facts that are the same for every run of this user here. Finding them out takes Codex processes. */
export interface UserFacts {
  readonly settings: UserSettings;
  readonly login: CodexLogin;
}

export interface PreparedCodex extends UserFacts, Layout {
  /** Result of the probe; null if it was not requested. */
  readonly sandbox: SandboxProbe | null;
}

export interface PrepareCodexOptions extends LayOutOptions {
  /** Time limit of the short-lived server that reads the user's settings. */
  readonly timeoutMs: number;
  /** True to try the sandbox. */
  readonly withSandbox: boolean;
  /** Facts from a moment ago. */
  readonly known?: Promise<UserFacts> | null;
  /** A sandbox trial in progress. */
  readonly trial?: Promise<SandboxProbe> | null;
}

/** @throws CollabError `cli_missing`, `auth`, `options`, `state_folder` */
export async function prepare(
  environment: ProviderEnvironment,
  { withSandbox, timeoutMs, known = null, trial = null, ...options }: PrepareCodexOptions,
): Promise<PreparedCodex> {
  const layout = layOut(environment, options);
  const { signal } = environment;
  // Both start their own processes and a run waits for both, so they run in parallel.
  const [{ settings, login }, sandbox] = await Promise.all([
    known ?? learn(environment, layout, learnSettings(environment, layout, timeoutMs)),
    withSandbox ? (trial ?? probeSandbox({ ...layout, signal })) : null,
  ]);
  return { ...layout, settings, login, sandbox };
}

export function learnSettings(
  { env, signal }: ProviderEnvironment,
  { program, path, cwd, platform }: Layout,
  timeoutMs: number,
): Promise<UserSettings> {
  return readUserSettings({ program, env, path, cwd, platform, timeoutMs, signal });
}

export async function learn(
  { env: userEnv, signal }: ProviderEnvironment,
  { program, env, cwd, linked }: Layout,
  settings: Promise<UserSettings>,
): Promise<UserFacts> {
  const known = await settings;
  return {
    settings: known,
    login: await findLogin({ settings: known, userEnv, program, env, cwd, linked, signal }),
  };
}
