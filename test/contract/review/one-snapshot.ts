/** Reviews in parallel with a process that edits the working tree, removes the store or reviews as well. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { buildProgram } from '../../setup/build-program.ts';
import { scratchFolder, scratchRepository } from '../../fixtures/scratch-repository.ts';
import { reviewRounds, type ReviewedRounds } from './review-rounds.ts';

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
  const program = await buildProgram(join(import.meta.dirname, 'reviewer.program.ts'), scratchFolder());
  const review = async (mark: string): Promise<ReviewedRounds> => {
    const args = [program, root, mark, String(rounds)];
    const { stdout } = await execa(process.execPath, args, { env, extendEnv: false });
    return JSON.parse(stdout);
  };
  return beside(editor, [root, String(seed)], () => Promise.all([review('aaaa'), review('bbbb')]));
}

const editor = join(import.meta.dirname, 'editor.program.mjs');

function scene() {
  const repository = scratchRepository();
  for (let index = 0; index < 40; index += 1) repository.write(`src/${index % 4}/${index}.txt`, `${index}\n`);
  repository.commit('base');
  repository.write('src/1/1.txt', 'changed\n');
  return { root: repository.root, env: { ...repository.env, XDG_STATE_HOME: scratchFolder() } };
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
