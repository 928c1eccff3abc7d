/** Reviews in parallel with a process that edits the working tree, removes the store or reviews as well. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { buildProgram } from '../../setup/build-program.ts';
import { scratchFolder, scratchRepository } from '../../fixtures/scratch-repository.ts';
import { reviewRounds, type ReviewedRounds, type RoundsPlace } from './review-rounds.ts';

export async function reviewWhileEdited(rounds: number, seed: number): Promise<ReviewedRounds> {
  const { root, env } = scene();
  return beside(editor, [root, String(seed)], () => reviewRounds({ root, env, mark: 'aaaa' }, rounds));
}

/** The store is removed again and again, as `collab clean --all` does it. */
export async function reviewWhileCleaned(rounds: number, seed: number): Promise<ReviewedRounds> {
  const { root, env } = scene();
  const cleaner = await buildProgram(join(import.meta.dirname, 'cleaner.program.ts'), scratchFolder());
  const args = [join(env.XDG_STATE_HOME, 'collab'), String(seed)];
  return beside(cleaner, args, () => reviewRounds({ root, env, mark: 'aaaa' }, rounds));
}

/** Two processes review the same tree, which is edited, with one store. */
export async function reviewTogether(rounds: number, seed: number): Promise<readonly ReviewedRounds[]> {
  const { root, env } = scene();
  const program = await buildReviewer();
  const review = (mark: string) => reviewInProcess(program, { root, env, mark }, rounds);
  return beside(editor, [root, String(seed)], () => Promise.all([review('aaaa'), review('bbbb')]));
}

/** Reviews while other processes with the same store are killed. */
export interface ReviewedBesideKilled {
  /** By a process beside them. */
  readonly survivor: ReviewedRounds;
  /** By the next process after each that was killed. */
  readonly next: readonly ReviewedRounds[];
  /** Points at which a process was not killed. */
  readonly unharmed: readonly number[];
  /** Private folders of runs that are left. */
  readonly left: readonly string[];
}

/**
 * Edits the tree, kills a process that reviews it, and reviews it again, while another process with the same store reviews
 * it as well. `choose` chooses the changes of the file system at which the processes are killed.
 */
export async function reviewBesideKilled(
  choose: (changes: number) => readonly number[],
): Promise<ReviewedBesideKilled> {
  const { root, env, write } = scene();
  const program = await buildReviewer();
  const runs = scratchFolder();
  const place = { root, env: { ...env, TMPDIR: runs }, mark: 'bbbb' };
  const edit = (round: number): void => {
    for (let index = 0; index < 40; index += 2) write(`src/${index % 4}/${index}.txt`, `round ${round}\n`);
  };
  await reviewInProcess(program, place, 1);
  edit(-1);
  const { changes = 0 } = await reviewInProcess(program, place, 1);
  const points = choose(changes);
  const unharmed: number[] = [];
  const killEach = async (): Promise<ReviewedRounds[]> => {
    const next: ReviewedRounds[] = [];
    for (const [round, point] of points.entries()) {
      edit(round);
      const { signal } = await execa(process.execPath, [program, root, place.mark, '1', String(point)], {
        env: place.env,
        extendEnv: false,
        reject: false,
      });
      if (signal !== 'SIGKILL') unharmed.push(point);
      // The next one continues in the folder of the killed run, or finds this run dead and gives its copy to the store.
      const isDead = round % 3 === 0;
      if (isDead) emptyFolder(runs);
      next.push(await reviewInProcess(program, isDead ? { ...place, mark: 'cccc' } : place, 1));
    }
    return next;
  };
  const survive = () => reviewInProcess(program, { root, env, mark: 'aaaa' }, 3 * points.length);
  const [survivor, next] = await Promise.all([survive(), killEach()]);
  emptyFolder(runs);
  next.push(await reviewInProcess(program, place, 1));
  const state = join(env.XDG_STATE_HOME, 'collab');
  const left = readdirSync(state).filter((name) => existsSync(join(state, name, 'kept')));
  return { survivor, next, unharmed, left };
}

function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
}

function buildReviewer(): Promise<string> {
  return buildProgram(join(import.meta.dirname, 'reviewer.program.ts'), scratchFolder());
}

async function reviewInProcess(
  program: string,
  { root, env, mark }: RoundsPlace,
  rounds: number,
): Promise<ReviewedRounds> {
  const args = [program, root, mark, String(rounds)];
  const { stdout } = await execa(process.execPath, args, { env, extendEnv: false });
  return JSON.parse(stdout);
}

const editor = join(import.meta.dirname, 'editor.program.mjs');

function scene() {
  const repository = scratchRepository();
  for (let index = 0; index < 40; index += 1) repository.write(`src/${index % 4}/${index}.txt`, `${index}\n`);
  repository.commit('base');
  repository.write('src/1/1.txt', 'changed\n');
  const { root, env, write } = repository;
  return { root, write, env: { ...env, XDG_STATE_HOME: scratchFolder() } };
}

/** Runs a program, which sends a message when it has begun, in parallel with some work. */
async function beside<Result>(
  program: string,
  args: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const other = fork(program, args);
  await once(other, 'message');
  try {
    return await work();
  } finally {
    other.kill();
    await once(other, 'exit');
  }
}
