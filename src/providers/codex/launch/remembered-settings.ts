/**
 * Caches Codex's report of the user's settings for the next run: asking takes a Codex process, a third of a review's start.
 * The cache is valid while Codex's files are unchanged, and for half an hour at most, because a managed account's settings
 * come from elsewhere. Values that may contain a secret are not stored.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { makeFolder, realPlace } from '../../../system/files/in-folder.ts';
import { factsOf, readIfPossible, readText } from '../../../system/files/read.ts';
import { writeAtomically } from '../../../system/files/write.ts';
import type { Platform } from '../../../system/platform.ts';
import { userSettingsSchema, type UserSettings } from './user-settings.ts';
import { parseJson } from '../../../text/parse-json.ts';

export interface SettingsMemory {
  /** Returns null if no valid settings are stored. */
  recall(): UserSettings | null;
  /** Stores the settings; ignores a failed write, because the next run can ask again. */
  keep(settings: UserSettings): void;
}

export interface RememberOptions {
  /** A run's folder: the cache is beside it, where `collab clean` removes old files. */
  readonly stateFolder: string;
  readonly program: string;
  /** The user's own CODEX_HOME. */
  readonly codexHome: string;
  readonly platform: Platform;
  readonly nowMs?: number;
  /** Folder of the system's own settings. */
  readonly systemFolder?: string;
}

const keptMs = 30 * 60_000;

/** Computes its key before Codex is asked, so settings that change meanwhile are stored under their old key. */
export function rememberSettings(options: RememberOptions): SettingsMemory {
  const { stateFolder, platform, nowMs = Date.now() } = options;
  // Which files decide is known only for Linux (0.169): other systems have managed settings that are not files.
  if (platform.os !== 'linux') return { recall: () => null, keep: () => undefined };
  const file = join(dirname(realPlace(stateFolder)), `settings-${keyOf(options)}.json`);
  return {
    recall() {
      const facts = factsOf(file);
      if (facts === null || Math.abs(nowMs - facts.mtimeMs) > keptMs) return null;
      return rememberedSchema.safeParse(parseJson(readText(file))).data ?? null;
    },
    keep(settings) {
      if (!rememberedSchema.safeParse(settings).success) return;
      try {
        makeFolder(dirname(file));
        writeAtomically(file, JSON.stringify(settings), { synced: false });
      } catch {
        // The disk is full, or there is no permission: it only costs time.
      }
    },
  };
}

/** Hashes the layers that Codex reads outside a project (0.169, from a trace of its system calls), and Codex itself. */
function keyOf({ program, codexHome, systemFolder = '/etc/codex' }: RememberOptions): string {
  const { size, mtimeMs } = statSync(program);
  const files = [
    join(codexHome, 'config.toml'),
    ...['config.toml', 'managed_config.toml', 'requirements.toml'].map((name) => join(systemFolder, name)),
  ];
  const key = JSON.stringify([program, size, mtimeMs, codexHome, ...files.map(readIfPossible)]);
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
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
