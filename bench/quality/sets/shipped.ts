/** Our own format: `<name>.diff` and `<name>.json` side by side. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { severities } from '../../../src/tags/severities.ts';
import type { BenchmarkSet } from './benchmark-set.ts';
import { readJson } from './read-json.ts';

export const shippedChangeSchema = z.strictObject({
  change: z.string().min(1),
  faults: z.array(
    z.strictObject({
      fault: z.string().min(1),
      path: z.string(),
      start_line: z.int().positive(),
      end_line: z.int().positive(),
      severity: z.array(z.enum(severities)).min(1),
      words: z.array(z.string().regex(/^[^A-Z]+$/)).min(1),
    }),
  ),
});

export function isShippedSet(folder: string): boolean {
  return readdirSync(folder).some((file) => file.endsWith('.diff'));
}

export function loadShippedSet(folder: string): BenchmarkSet {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.diff'))
    .map((file) => file.slice(0, -'.diff'.length))
    .toSorted();
  return {
    format: 'collab',
    changes: names.map((name) => ({
      name,
      source: { kind: 'diff', file: join(folder, `${name}.diff`) },
      faults: readJson(join(folder, `${name}.json`), shippedChangeSchema).faults.map(
        ({ fault, ...rest }, index) => ({ ...rest, id: String(index + 1), text: fault, side: 'new' }),
      ),
    })),
  };
}
