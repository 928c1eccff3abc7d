/** What must be known before Codex can work for a run: the user's settings, the login, whether the sandbox starts. */
import type { ProviderEnvironment } from '../../contract/contract.ts';
import { layOut, type Layout, type LayOutOptions } from './layout.ts';
import { findLogin, type Login } from './login.ts';
import { readUserSettings } from './read-user-settings.ts';
import { probeSandbox, type SandboxProbe } from './sandbox-probe.ts';
import type { UserSettings } from './user-settings.ts';

/** What holds for every run of this user here. To learn it takes processes of Codex. */
export interface UserFacts {
  readonly settings: UserSettings;
  readonly login: Login;
}

export interface Prepared extends UserFacts, Layout {
  /** Null where it was not asked for. */
  readonly sandbox: SandboxProbe | null;
}

export interface PrepareOptions extends LayOutOptions {
  /** For the short server that reads the user's settings. */
  readonly timeoutMs: number;
  /** Whether to try the sandbox. */
  readonly withSandbox: boolean;
  /** What was learned a moment ago. */
  readonly known?: Promise<UserFacts> | null;
  /** A trial that is under way. */
  readonly trial?: Promise<SandboxProbe> | null;
}

/** @throws CollabError `cli_missing`, `auth`, `options`, `state_folder` */
export async function prepare(
  environment: ProviderEnvironment,
  { withSandbox, timeoutMs, known = null, trial = null, ...options }: PrepareOptions,
): Promise<Prepared> {
  const layout = layOut(environment, options);
  const { signal } = environment;
  // Side by side: each starts a process of its own, and a run waits for both.
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
