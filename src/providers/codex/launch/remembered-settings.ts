/**
 * Caches Codex's report of the user's settings for the next run: asking takes a Codex process, a third of a review's start.
 * The cache is valid while Codex's files are unchanged; it does not last, because a managed account's settings come from
 * elsewhere. Values that may contain a secret are not stored.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { readIfPossible } from '../../../system/files/read.ts';
import type { Platform } from '../../../system/platform.ts';
import { forgetful, memoryBeside, programFacts, type Memory } from './memory.ts';
import { userSettingsSchema, type UserSettings } from './user-settings.ts';

export interface RememberOptions {
  readonly stateFolder: string;
  readonly program: string;
  /** The user's own CODEX_HOME. */
  readonly codexHome: string;
  readonly platform: Platform;
  readonly nowMs?: number;
  /** Folder of the system's own settings. */
  readonly systemFolder?: string;
}

/** Computes its key before Codex is asked, so settings that change meanwhile are stored under their old key. */
export function rememberSettings(options: RememberOptions): Memory<UserSettings> {
  // Which files decide is known only for Linux (0.169): other systems have managed settings that are not files.
  if (options.platform.os !== 'linux') return forgetful;
  return memoryBeside({ ...options, name: 'settings', facts: layersOf(options), schema: rememberedSchema });
}

/** The layers that Codex reads outside a project (0.169, from a trace of its system calls), and Codex itself. */
function layersOf({ program, codexHome, systemFolder = '/etc/codex' }: RememberOptions): readonly unknown[] {
  const files = [
    join(codexHome, 'config.toml'),
    ...['config.toml', 'managed_config.toml', 'requirements.toml'].map((name) => join(systemFolder, name)),
  ];
  return [...programFacts(program), codexHome, ...files.map(readIfPossible)];
}

/** An address without a user name, key or query. */
const plainAddress = z.string().regex(/^https?:\/\/[^@?#\s]+$/);

/** Accepts only values that are known to hold no secret; settings with anything else are read each time. */
const rememberedSchema = userSettingsSchema.extend({
  provider: z
    .object({
      name: z.string().nullish(),
      base_url: plainAddress.nullable(),
      env_key: z.string().nullable(),
      env_key_instructions: z.string().nullish(),
      wire_api: z.string().nullish(),
      experimental_bearer_token: z.null(),
      http_headers: z.null(),
      env_http_headers: z.record(z.string(), z.string()).nullable(),
      requires_openai_auth: z.boolean().nullable(),
    })
    .catchall(z.union([z.null(), z.boolean(), z.number()]))
    .nullable(),
  openaiBaseUrl: plainAddress.nullable(),
  chatgptBaseUrl: plainAddress.nullable(),
});
