/**
 * Answers of earlier runs: `.collab/cache/<key>.json`, each whole, signed and mode 0600. What is read is checked; whatever is
 * wrong with an entry, it is passed over and asked for again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../system/clock.ts';
import { digestOf } from '../../text/digest.ts';
import { writeAtomically } from '../folder/run-folder.ts';

const cachedAnswerSchema = z.strictObject({
  schema: z.literal('collab.cache/v1'),
  /** What was asked of whom. */
  key: z.string(),
  /** The run that asked. */
  run_id: z.string(),
  answered_at: z.iso.datetime(),
  /** Of the prompt that held the lines. */
  prompt_digest: z.string(),
  /** The lines of the change that were in it; of a verdict on a finding none. */
  shown: z.array(
    z.strictObject({
      path: z.string(),
      side: z.enum(['new', 'old']),
      start: z.int().positive(),
      end: z.int().positive(),
    }),
  ),
  /** Of a verdict: the files that the lead had read. */
  read: z.array(z.string()).optional(),
  /** Secrets covered, as in the journal. */
  answer: z.string(),
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
  /** A full disk or a folder that is not ours costs the answer its place, not the run its answer. */
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
/** An answer has 1 MB at most; JSON can double it. */
const mostEntryBytes = 4 * 1024 * 1024;

export function openAnswerCache(options: CacheOptions): AnswerCache {
  const folder = cacheFolder(options.home);
  let isPruned = false;
  return {
    find: (key) => readEntry(folder, key, options),
    keep(answer) {
      try {
        if (isLink(folder)) return;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
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

/** Removes what is too old, and the oldest of what is too much; returns how many answers. */
export function pruneCache(home: string, clock: Clock): number {
  const entries = listCache(home).toSorted((left, right) => right.facts.mtimeMs - left.facts.mtimeMs);
  let keptBytes = 0;
  const outdated = entries.filter(({ facts }) => {
    keptBytes += facts.size;
    return keptBytes > mostBytes || clock.now() - facts.mtimeMs > mostAgeMs;
  });
  for (const { path } of outdated) rmSync(path, { force: true });
  return outdated.length;
}

/** All of it; returns how many answers. */
export function removeCache(home: string): number {
  const entries = listCache(home);
  for (const { path } of entries) rmSync(path, { force: true });
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

/** A repository may bring a folder that leads out of it. */
function isLink(folder: string): boolean {
  return lookAt(folder)?.isSymbolicLink() === true;
}

/** Null also where somebody has put something else in the place of the folder. */
function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function readEntry(folder: string, key: string, { secret, clock }: CacheOptions): FoundAnswer {
  const file = entryFile(folder, key);
  const facts = lookAt(file);
  if (isLink(folder) || facts === null) return { kind: 'absent' };
  if (!facts.isFile() || facts.size > mostEntryBytes) return broken('is no file of ours');
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
    return entrySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
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
