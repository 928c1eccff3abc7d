/** Facts about Codex on this machine that the next run needs again, and whose finding takes a process of Codex. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { makeFolder, realPlace } from '../../../system/files/in-folder.ts';
import { factsOf, readText } from '../../../system/files/read.ts';
import { writeAtomically } from '../../../system/files/write.ts';
import { parseJson } from '../../../text/parse-json.ts';

export interface Memory<Value> {
  /** Returns null if nothing valid is stored. */
  recall(): Value | null;
  /** Stores a value that fits; ignores a failed write, because the next run can find it out again. */
  keep(value: Value): void;
}

export interface MemoryOptions<Value> {
  /** A run's folder: the memory is beside it, where `collab clean` removes old files. */
  readonly stateFolder: string;
  readonly name: string;
  /** Everything that decides the value: a memory of other facts is not used. */
  readonly facts: readonly unknown[];
  readonly schema: z.ZodType<Value>;
  readonly nowMs?: number;
}

const keptMs = 30 * 60_000;

/** Keeps a value for half an hour. */
export function memoryBeside<Value>(options: MemoryOptions<Value>): Memory<Value> {
  const { stateFolder, name, facts, schema, nowMs = Date.now() } = options;
  const key = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
  const file = join(dirname(realPlace(stateFolder)), `${name}-${key}.json`);
  return {
    recall() {
      const known = factsOf(file);
      if (known === null || Math.abs(nowMs - known.mtimeMs) > keptMs) return null;
      return schema.safeParse(parseJson(readText(file))).data ?? null;
    },
    keep(value) {
      if (!schema.safeParse(value).success) return;
      try {
        makeFolder(dirname(file));
        writeAtomically(file, JSON.stringify(value), { synced: false });
      } catch {
        // The disk is full, or there is no permission: it only costs time.
      }
    },
  };
}

/** Remembers nothing: for a system whose deciding facts are not known. */
export const forgetful: Memory<never> = { recall: () => null, keep: () => undefined };

/** Differ after an update of the program. */
export function programFacts(program: string): readonly unknown[] {
  const { size, mtimeMs } = statSync(program);
  return [program, size, mtimeMs];
}
