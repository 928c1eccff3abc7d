/**
 * Answers of earlier runs: `.collab/cache/<key>.json`, each written atomically, signed and mode 0600. An entry is
 * checked when it is read; a faulty one is skipped and the question is asked again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../system/clock.ts';
import { digestOf } from '../../text/digest.ts';
import { lookAt } from '../../system/files/fault.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { readText } from '../../system/files/read.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';

const cachedAnswerSchema = z.strictObject({
  schema: z.literal('collab.cache/v1'),
  /** Digest of the question and of the agent that was asked. */
  key: z.string(),
  /** The run that asked. */
  run_id: z.string(),
  answered_at: z.iso.datetime(),
  /** Digest of the prompt that contained the lines. */
  prompt_digest: z.string(),
  /** The lines of the change in that prompt; none for a verdict on a finding. */
  shown: z.array(
    z.strictObject({
      path: z.string(),
      side: z.enum(['new', 'old']),
      start: z.int().positive(),
      end: z.int().positive(),
    }),
  ),
  /** For a verdict: the files that its agent had read. */
  read: z.array(z.string()).optional(),
  /** Secrets are masked, as in the journal. */
  answer: z.string(),
  /** The nonce of its closing line; absent if the prompt requested none. */
  closing: z.string().optional(),
});
export type CachedAnswer = z.infer<typeof cachedAnswerSchema>;

const entrySchema = z.strictObject({ ...cachedAnswerSchema.shape, signature: z.string() });

export type FoundAnswer =
  | { readonly kind: 'found'; readonly cached: CachedAnswer }
  | { readonly kind: 'absent' }
  /** `why` is a sentence without its full stop. */
  | { readonly kind: 'broken'; readonly why: string };

export interface AnswerCache {
  find(key: string): FoundAnswer;
  /** A full disk or a folder that is not ours only means that the answer is not cached; the run still has it. */
  keep(answer: CachedAnswer): void;
}

export interface CacheOptions {
  /** The folder that holds `runs/`. */
  readonly home: string;
  readonly secret: Uint8Array;
  readonly clock: Clock;
}

const mostAgeMs = 30 * 24 * 60 * 60 * 1000;
const mostBytes = 64 * 1024 * 1024;
/** An answer has at most 1 MB; JSON can double it. */
const mostEntryBytes = 4 * 1024 * 1024;

export function openAnswerCache(options: CacheOptions): AnswerCache {
  const folder = cacheFolder(options.home);
  let isPruned = false;
  return {
    find: (key) => readEntry(folder, key, options),
    keep(answer) {
      try {
        makeFolder(folder);
        if (!isPruned) pruneCache(options.home, options.clock);
        isPruned = true;
        const entry = { ...answer, signature: sign(answer, options.secret) };
        writeAtomically(entryFile(folder, answer.key), `${JSON.stringify(entry)}\n`);
      } catch {
        // The next run asks again.
      }
    },
  };
}

/** Removes entries that are too old, and the oldest of too many; returns how many answers it removed. */
export function pruneCache(home: string, clock: Clock): number {
  const entries = listCache(home).toSorted((left, right) => right.facts.mtimeMs - left.facts.mtimeMs);
  let keptBytes = 0;
  const outdated = entries.filter(({ facts }) => {
    keptBytes += facts.size;
    return keptBytes > mostBytes || clock.now() - facts.mtimeMs > mostAgeMs;
  });
  for (const { path } of outdated) remove(path);
  return outdated.length;
}

/** Removes the whole cache; returns how many answers it removed. */
export function removeCache(home: string): number {
  const entries = listCache(home);
  for (const { path } of entries) remove(path);
  return entries.length;
}

export function countCache(home: string): number {
  return listCache(home).length;
}

function cacheFolder(home: string): string {
  return join(home, 'cache');
}

function entryFile(folder: string, key: string): string {
  return join(folder, `${key}.json`);
}

function listCache(home: string): readonly { readonly path: string; readonly facts: Stats }[] {
  const folder = cacheFolder(home);
  if (lookAt(folder)?.isDirectory() !== true) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const facts = lookAt(path);
    return facts?.isFile() === true ? [{ path, facts }] : [];
  });
}

/** Returns true for a link: a repository may contain one that leads out of it. */
function isLink(folder: string): boolean {
  return lookAt(folder)?.isSymbolicLink() === true;
}

function readEntry(folder: string, key: string, { secret, clock }: CacheOptions): FoundAnswer {
  const file = entryFile(folder, key);
  const facts = lookAt(file);
  if (isLink(folder) || facts === null) return { kind: 'absent' };
  if (!facts.isFile() || facts.size > mostEntryBytes) return broken('is not a file of ours');
  const parsed = parseEntry(file);
  if (parsed === null) return broken('cannot be read');
  const { signature, ...cached } = parsed;
  if (!isSame(signature, sign(cached, secret))) return broken('was not written by this user');
  if (cached.key !== key) return broken('is the answer to something else');
  const isOld = clock.now() - Date.parse(cached.answered_at) > mostAgeMs;
  return isOld ? { kind: 'absent' } : { kind: 'found', cached };
}

function parseEntry(file: string): z.infer<typeof entrySchema> | null {
  try {
    return entrySchema.parse(JSON.parse(readText(file)));
  } catch {
    return null;
  }
}

function broken(what: string): FoundAnswer {
  return { kind: 'broken', why: `the cached answer ${what}` };
}

function sign(answer: CachedAnswer, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(digestOf(answer)).digest('hex');
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
