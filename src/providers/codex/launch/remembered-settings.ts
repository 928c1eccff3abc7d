/**
 * What Codex said of the user's settings, kept for the next run: asking takes a process of Codex, a third of a review's
 * start. It holds while the files that Codex made it of are the same, and for half an hour at most: a managed account's
 * settings come from elsewhere. What may hold a secret is not kept.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Platform } from '../../../system/platform.ts';
import { userSettingsSchema, type UserSettings } from './user-settings.ts';

export interface Remembered {
  /** Null where nothing is known that still holds. */
  recall(): UserSettings | null;
  /** Says nothing where it cannot be written: the next run asks again. */
  keep(settings: UserSettings): void;
}

export interface RememberOptions {
  /** A run's folder: what is remembered lies beside it, where `collab clean` removes what is old. */
  readonly stateFolder: string;
  readonly program: string;
  /** The user's own. */
  readonly codexHome: string;
  readonly platform: Platform;
  readonly nowMs?: number;
  /** Of the system's own layers. */
  readonly systemFolder?: string;
}

const keptMs = 30 * 60_000;

/** Taken before Codex is asked: settings that change meanwhile are remembered under what they were. */
export function rememberSettings(options: RememberOptions): Remembered {
  const { stateFolder, platform, nowMs = Date.now() } = options;
  // Which files decide is known of Linux alone (0.169): elsewhere there are managed settings that are no files.
  if (platform.os !== 'linux') return { recall: () => null, keep: () => undefined };
  const file = join(dirname(stateFolder), `settings-${keyOf(options)}.json`);
  return {
    recall() {
      if (!existsSync(file) || Math.abs(nowMs - statSync(file).mtimeMs) > keptMs) return null;
      return rememberedSchema.safeParse(parseJson(readFileSync(file, 'utf8'))).data ?? null;
    },
    keep(settings) {
      if (!rememberedSchema.safeParse(settings).success) return;
      const unfinished = `${file}.${process.pid}`;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(unfinished, JSON.stringify(settings), { mode: 0o600 });
        renameSync(unfinished, file);
      } catch {
        // No room, or no permission: it only costs time.
      }
    },
  };
}

/** The layers that Codex reads outside of a project (0.169, by a trace of its system calls), and Codex itself. */
function keyOf({ program, codexHome, systemFolder = '/etc/codex' }: RememberOptions): string {
  const { size, mtimeMs } = statSync(program);
  const files = [
    join(codexHome, 'config.toml'),
    ...['config.toml', 'managed_config.toml', 'requirements.toml'].map((name) => join(systemFolder, name)),
  ];
  const key = JSON.stringify([program, size, mtimeMs, codexHome, ...files.map(contentOf)]);
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** An address without a name, a key or a query in it. */
const plainAddress = z.string().regex(/^https?:\/\/[^@?#\s]+$/);

/** Only what is known to hold no secret; settings with anything else are asked for each time. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
