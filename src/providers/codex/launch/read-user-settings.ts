/** Reads the few passed-on settings of the user's own Codex with a short-lived server in their CODEX_HOME. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../../errors/collab-error.ts';
import { connect, type ConnectOptions } from './connect.ts';
import { buildEnvironment, disableFeatures } from './launch-profile.ts';
import { tooOld } from './program-version.ts';
import { userCodexHome, userHome } from './state-folders.ts';
import { providerSchema, type UserSettings } from './user-settings.ts';
import type { SeedOptions } from './home-seed.ts';

/** The answer of `config/read` (codex app-server, 0.169). */
const configSchema = z.looseObject({
  config: z.looseObject({
    model: z.string().nullish(),
    model_reasoning_effort: z.string().nullish(),
    model_provider: z.string().nullish(),
    model_providers: z.record(z.string(), providerSchema).nullish(),
    openai_base_url: z.string().nullish(),
    chatgpt_base_url: z.string().nullish(),
    cli_auth_credentials_store: z.string().nullish(),
  }),
  origins: z.record(z.string(), z.unknown()).nullish(),
});

export const noSettings: UserSettings = {
  model: null,
  reasoningEffort: null,
  providerId: null,
  provider: null,
  openaiBaseUrl: null,
  chatgptBaseUrl: null,
  loginStore: null,
};

export interface ReadSettingsOptions extends Omit<SeedOptions, 'seed'> {
  /** An empty folder outside every repository, so that no project settings are mixed in. */
  readonly cwd: string;
}

/** @throws CollabError `options` when Codex cannot read the user's settings. */
export async function readUserSettings(options: ReadSettingsOptions): Promise<UserSettings> {
  const codexHome = userCodexHome(options.env);
  // Without a file of their own there is nothing to pass on, and starting a server would only cost time.
  if (!existsSync(join(codexHome, 'config.toml'))) return noSettings;
  const connected = await connect(serverOf(options, codexHome));
  if (!connected.ok && connected.ability !== null) throw tooOld(options.program, connected.ability);
  if (!connected.ok) throw unreadable(codexHome, connected.message);
  const { connection } = connected;
  const reply = await connection.rpc.call('config/read', { includeLayers: false }, configSchema);
  // Not awaited: the server holds nothing that the run needs.
  void connection.stop();
  if (!reply.ok) throw unreadable(codexHome, reply.message);
  return settingsOf(reply.value);
}

export function settingsOf({ config, origins }: z.infer<typeof configSchema>): UserSettings {
  const providerId = config.model_provider ?? null;
  const custom = providerId === 'openai' ? null : providerId;
  return {
    model: config.model ?? null,
    reasoningEffort: config.model_reasoning_effort ?? null,
    providerId: custom,
    provider: custom === null ? null : (config.model_providers?.[custom] ?? null),
    openaiBaseUrl: config.openai_base_url ?? null,
    // Codex also reports its default; only an address that is set is the user's choice.
    chatgptBaseUrl: origins?.['chatgpt_base_url'] === undefined ? null : (config.chatgpt_base_url ?? null),
    loginStore: config.cli_auth_credentials_store ?? null,
  };
}

function serverOf(options: ReadSettingsOptions, codexHome: string): ConnectOptions {
  const env = buildEnvironment({ ...options, home: userHome(options.env), codexHome });
  return {
    file: options.program,
    args: ['app-server', ...disableFeatures],
    cwd: options.cwd,
    env,
    timeoutMs: options.timeoutMs,
    signal: options.signal,
  };
}

function unreadable(codexHome: string, reason: string): CollabError {
  return new CollabError('options', `Codex cannot read its settings in ${codexHome}: ${reason}`, {
    hint: 'Correct config.toml there; `codex doctor` shows its faults.',
  });
}
