/** `collab` as a user starts it: the packed command, a folder to call it in, the real Codex with a scripted model. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import { reviewResultSchema, type ReviewResult } from '../../../src/review/outcome/result.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { readJournal } from '../../../src/engine/journal/journal-reader.ts';
import { installPackedCollab } from '../../packed/packed-collab.ts';
import { startUpstream, type Upstream, type UpstreamOptions } from '../../upstream/responses-server.ts';
import { inOrder } from '../../upstream/steps.ts';
import { createWorld, type World } from '../codex/codex-user.ts';
import { processesNaming } from '../../setup/process-table.ts';

export interface ReviewWorld {
  readonly upstream: Upstream;
  readonly world: World;
  /** A new folder to call `collab` in. */
  folder(options?: FolderOptions): WorkFolder;
  /** Checks that no process of this world is alive, and no request to the model is open. */
  nothingLeft(): Promise<void>;
  close(): Promise<void>;
}

export interface FolderOptions {
  /** Taken instead of a new folder. */
  readonly path?: string;
  /** `collab.config.yaml`. */
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `base_url` of another upstream. */
  readonly upstream?: string;
}

export interface WorkFolder {
  readonly path: string;
  write(name: string, text: string): void;
  start(...args: readonly string[]): Started;
  run(...args: readonly string[]): Promise<Ended>;
  /** The result of the only run in this folder. */
  result(): ReviewResult;
  /** The events of the only run in this folder; none before its start. */
  events(): readonly CollabEvent[];
}

export interface Started {
  /** The process, and the process group that it leads. */
  readonly pid: number;
  readonly ended: Promise<Ended>;
}

export interface Ended {
  /** The exit code; null if a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Most scripts answer reviews alone, so a review is one pass if it names neither an effort nor a lead. */
function onePass(words: readonly string[]): readonly string[] {
  const [lead = 'none'] = words.slice(words.indexOf('--lead') + 1);
  const hasLead = words.includes('--lead') && lead !== 'none';
  const isOnePass = words[0] === 'review' && !words.includes('--effort') && !hasLead;
  return isOnePass ? [...words, '--effort', 'quick'] : words;
}

export const generous = { timeout: 30_000, interval: 100 };

export async function createReviewWorld(options: UpstreamOptions = {}): Promise<ReviewWorld> {
  const upstream = await startUpstream(inOrder({ text: 'unscripted' }), options);
  const world = createWorld({ url: upstream.url });
  const collab = await installPackedCollab();
  const pids: number[] = [];
  let folders = 0;

  const start = (path: string, env: Readonly<Record<string, string>>, words: readonly string[]): Started => {
    const child = execa(process.execPath, [collab.command, ...onePass(words)], {
      cwd: path,
      env: { ...collab.environment, ...world.env, ...env },
      extendEnv: false,
      detached: true,
      input: '',
      reject: false,
      stripFinalNewline: false,
    });
    const { pid } = child;
    if (pid === undefined) throw new Error('collab did not start');
    pids.push(pid);
    const ended = child.then(({ exitCode, signal, stdout, stderr }) => {
      pids.splice(pids.indexOf(pid), 1);
      return { code: exitCode ?? null, signal: signal ?? null, stdout, stderr };
    });
    return { pid, ended };
  };
  return {
    upstream,
    world,
    folder({
      path = join(world.root, `work-${(folders += 1)}`),
      config,
      env: added = {},
      upstream: url,
    } = {}) {
      mkdirSync(path, { recursive: true });
      const env = url === undefined ? added : { ...added, HOME: homeFor(world, url) };
      if (config !== undefined) writeFileSync(join(path, 'collab.config.yaml'), config);
      return {
        path,
        write: (name, text) => writeFileSync(join(path, name), text),
        start: (...args) => start(path, env, args),
        run: (...args) => start(path, env, args).ended,
        result: () =>
          reviewResultSchema.parse(
            JSON.parse(readFileSync(join(onlyRun(path) ?? path, 'result.json'), 'utf8')),
          ),
        events: () => {
          const run = onlyRun(path);
          return run === null || !existsSync(journalFile(run)) ? [] : readJournal(journalFile(run)).events;
        },
      };
    },
    async nothingLeft() {
      await expect.poll(() => processesNaming(world.root), generous).toEqual([]);
      await expect.poll(() => upstream.openTurns(), generous).toBe(0);
    },
    async close() {
      for (const pid of pids) process.kill(-pid, 'SIGKILL');
      await world.close();
      await upstream.close();
    },
  };
}

function onlyRun(folder: string): string | null {
  const runs = join(folder, '.collab/runs');
  const [first, ...others] = existsSync(runs) ? readdirSync(runs) : [];
  if (others.length > 0) throw new Error(`more than one run in ${folder}`);
  return first === undefined ? null : join(runs, first);
}

/** The home of a user whose Codex asks another upstream. */
function homeFor(world: World, url: string): string {
  const home = join(world.root, 'other-home');
  mkdirSync(join(home, '.codex'), { recursive: true });
  const config = readFileSync(join(world.codexHome, 'config.toml'), 'utf8');
  writeFileSync(
    join(home, '.codex', 'config.toml'),
    config.replace(/base_url = ".*"/, `base_url = "${url}"`),
  );
  return home;
}
