/** Reviews one change with `collab review`, as a user does. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { reviewResultSchema } from '../../src/review/outcome/result.ts';
import { rehearsedAnswer } from './rehearsed-answer.ts';
import { QualityError, type ChangeSource } from './sets/benchmark-set.ts';
import type { SavedReview } from './scores/saved-results.ts';

export interface ReviewOptions {
  /** The root of this repository. */
  readonly root: string;
  readonly advisor: string;
  /** Further arguments for `collab review`. */
  readonly further: readonly string[];
}

/** The advisor whose answers are in `rehearsal.json`. */
export const shippedRehearsal = 'rehearsal';

/** Advisors that call no model. */
export function isFree(advisor: string): boolean {
  return advisor === 'static_review' || advisor === shippedRehearsal || advisor.startsWith('rehearsal:');
}

/**
 * A diff is reviewed in an empty folder, so that only the request and the model matter; commits in their clone.
 * @throws QualityError if `collab` refuses the arguments
 */
export async function reviewChange(
  { name, source }: { readonly name: string; readonly source: ChangeSource },
  run: number,
  { root, advisor, further }: ReviewOptions,
): Promise<SavedReview> {
  return inScratchFolder(async (scratch) => {
    const report = join(scratch, 'result.json');
    const chosen =
      advisor === shippedRehearsal ? `rehearsal:${writeScript(scratch, root, name, run)}` : advisor;
    const flags = ['--advisor', chosen, '--fail-on', 'never', '--no-cache', '--report', `json=${report}`];
    const { code, stderr } = await runReview(root, source, scratch, [...flags, ...further]);
    if (code === 2 || !existsSync(report))
      throw new QualityError(`collab review ended with ${code} for ${name}`, stderr.trim());
    const { outcome, usage, cost_usd, findings } = reviewResultSchema.parse(
      JSON.parse(readFileSync(report, 'utf8')),
    );
    const tokens =
      usage.input + usage.output + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h;
    return { change: name, run, outcome: outcome ?? 'failed', tokens, cost_usd, findings };
  });
}

/** Returns what `collab review --plan` prints about a change. */
export function planChange(source: ChangeSource, { root, advisor, further }: ReviewOptions): Promise<string> {
  return inScratchFolder(async (scratch) => {
    const { code, stdout, stderr } = await runReview(root, source, scratch, [
      '--advisor',
      advisor,
      '--plan',
      ...further,
    ]);
    if (code !== 0) throw new QualityError(`collab review --plan ended with ${code}`, stderr.trim());
    return stdout;
  });
}

async function inScratchFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'collab-quality-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeScript(scratch: string, root: string, name: string, run: number): string {
  const script = join(scratch, 'script.yaml');
  // JSON is YAML.
  writeFileSync(script, JSON.stringify({ turns: [{ answer: rehearsedAnswer(root, name, run) }] }));
  return script;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runReview(
  root: string,
  source: ChangeSource,
  scratch: string,
  flags: readonly string[],
): Promise<Ended> {
  const change = source.kind === 'diff' ? resolve(source.file) : `${source.base}...${source.head}`;
  const args = [join(root, 'bin/collab'), 'review', change, ...flags];
  const cwd = source.kind === 'diff' ? scratch : source.clone;
  return new Promise((done) => {
    const child = execFile(process.execPath, args, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
