/**
 * The traces of a run, without the parts that differ from run to run (times, durations, ids of commits) and without
 * the real additions of a lost call: its own prompt and its usage.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readEdits } from '../../../src/runs/workflow/edits.ts';
import { runBranches, type Stage } from './rehearsed-workflow.ts';

export interface Trace {
  /** The state that the lead left. */
  readonly tree: string | null;
  readonly branches: readonly string[];
  /** The user's own files. */
  readonly files: Readonly<Record<string, string>>;
  readonly result: unknown;
  readonly transcript: string;
}

export function traceOf(stage: Stage): Trace {
  return {
    tree: readEdits(stage.runFolder)?.head.tree ?? null,
    branches: runBranches(stage),
    files: filesIn(stage.project),
    result: { ...resultOf(stage), usage: null, usage_by: null, cost_usd: null },
    transcript: steady(readIfThere(join(stage.runFolder, 'transcript.md')))
      .replaceAll(lostRemarks, '')
      .replaceAll(/--prompt \d+/g, '--prompt N')
      .replaceAll(/\n## Usage\n[^#]*/g, ''),
  };
}

function resultOf({ runFolder }: Stage): Readonly<Record<string, unknown>> {
  return JSON.parse(steady(readFileSync(join(runFolder, 'result.json'), 'utf8')));
}

/** A call that was lost and harvested has only its final text. */
const lostRemarks = /^\d+ remarks? while it worked, then:\n\n/gm;

function steady(text: string): string {
  return text
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, 'TIME')
    .replaceAll(/"(duration_ms|durationMs)":\s*\d+/g, '"$1": 0')
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT');
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function filesIn(folder: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, below))) {
    if (below === '' && (name === '.git' || name === '.collab')) continue;
    const path = join(below, name);
    if (statSync(join(folder, path)).isDirectory()) Object.assign(found, filesIn(folder, path));
    else found[path] = readFileSync(join(folder, path), 'utf8');
  }
  return found;
}
