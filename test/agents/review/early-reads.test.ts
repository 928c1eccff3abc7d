/** The real Codex reads the files under review while they are still being copied: it never sees a part of them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { wholeAnswer } from '../../fixtures/review-answers.ts';
import { seed, triesAll } from '../../setup/points.ts';
import { inOrder } from '../../upstream/steps.ts';
import { createReviewWorld, generous, type ReviewWorld, type WorkFolder } from './review-user.ts';

let review: ReviewWorld;

beforeAll(async () => {
  review = await createReviewWorld();
});
afterEach(() => review.nothingLeft());
// Removes tens of thousands of files.
afterAll(() => review.close(), 240_000);

const again = 'it read files before all of them were copied; it is asked again';

/** A repository with many files; `src/total.ts` differs from its commit. */
function repositoryOf(name: string, files: number, env: Readonly<Record<string, string>> = {}): WorkFolder {
  const path = join(review.world.root, name);
  for (let index = 0; index < files; index += 1) {
    const file = join(path, fileName(index));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${textOf(index)}\n`);
  }
  mkdirSync(join(path, 'src'), { recursive: true });
  writeFileSync(join(path, 'src/total.ts'), 'export const total = 1;\n');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: path });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'base');
  writeFileSync(join(path, 'src/total.ts'), 'export const total = 2;\n');
  return review.folder({ path, env });
}

/** A module that the program loads first: it adds a dot to the file for each thread. */
function countsThreads(file: string): string {
  const path = join(review.world.root, 'counts-threads.mjs');
  const count = `process.on('worker', () => appendFileSync(${JSON.stringify(file)}, '.'));`;
  writeFileSync(path, `import { appendFileSync } from 'node:fs';\n${count}\n`);
  return path;
}

function fileName(index: number): string {
  return `files/${index % 50}/${index}.txt`;
}

function textOf(index: number): string {
  return `text-of-${index}`;
}

function emptyStore(): void {
  rmSync(join(review.world.home, '.local/state/collab/store'), { recursive: true, force: true });
}

function command(cmd: string) {
  return { calls: [{ name: 'exec_command', arguments: { cmd } }] };
}

test('a model that reads immediately is asked again when threads have copied every file, and the run says so', async () => {
  emptyStore();
  const files = 8000;
  const started = join(review.world.root, 'threads');
  const folder = repositoryOf('reads-at-once', files, { NODE_OPTIONS: `--import ${countsThreads(started)}` });
  const before = review.upstream.requests.length;
  const last = fileName(files - 1);
  review.upstream.play(({ lastInput }) =>
    lastInput.includes(textOf(files - 1))
      ? { text: wholeAnswer }
      : command(`cat '${join(copyOfRun(), last)}'`),
  );
  const ended = await folder.run('review');
  const sent = review.upstream.requests.slice(before);
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(again)]);
  // A turn that was interrupted, and the same prompt again. Codex may have already sent the first command's output.
  const prompts = sent.filter(isPrompt).map(({ lastInput }) => lastInput.replace(/"id":"[^"]*"/, ''));
  expect([prompts.length, prompts[1]]).toEqual([2, prompts[0]]);
  expect(sent.filter(({ lastInput }) => lastInput.includes(textOf(files - 1)))).toEqual([sent.at(-1)]);
  expect(readFileSync(started, 'utf8')).toBe('..');
  rmSync(join(folder.path, '.collab'), { recursive: true });
  const next = await folder.run('review');
  expect([next.code, next.stderr.includes(again)]).toEqual([1, false]);
});

test('a turn that began before the copy was complete is not continued after a kill, but repeated in a fresh session', async () => {
  const { upstream } = review;
  const folder = repositoryOf('killed-early', 8000);
  const before = upstream.requests.length;
  upstream.play(inOrder({ text: wholeAnswer, hang: 'stream' }, { text: wholeAnswer }));
  const { pid, ended } = folder.start('review');
  const types = () => folder.events().map(({ type }) => type);
  await expect.poll(types, generous).toContain('text.delta');
  process.kill(pid, 'SIGKILL');
  await ended;
  await review.nothingLeft();
  expect((await folder.run('resume')).code).toBe(1);
  const prompts = upstream.requests
    .slice(before)
    .map(({ lastInput }) => lastInput.replace(/"id":"[^"]*"/, ''));
  expect(prompts).toEqual([prompts[0], prompts[0]]);
});

test(
  'reads at random moments of the copying find each file as in the snapshot',
  { timeout: 900_000 },
  async () => {
    const [files, rounds, commands, reads] = [5000, triesAll ? 20 : 5, 10, 5];
    const folder = repositoryOf('random-reads', files);
    let state = seed;
    const draw = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const wrong: string[] = [];
    let rights = 0;
    for (let round = 0; round < rounds; round += 1) {
      // Every third run finds an empty store.
      if (round % 3 === 0) emptyStore();
      const changed = draw(files);
      writeFileSync(join(folder.path, fileName(changed)), `${textOf(changed)} round ${round}\n`);
      const versions = new Map(versionsOf(folder.path, files));
      let asked: readonly number[] = [];
      // An interrupted turn does not count: the answer is that of the last one.
      let turn = { answered: 0, right: 0, wrong: [] as string[] };
      const next = () => {
        asked = Array.from({ length: reads }, () => draw(files));
        const copy = copyOfRun();
        const cmd = `cd '${copy}' && cat ${asked.map(fileName).join(' ')}`;
        return { ...command(cmd), gate: untilCopied(copy, draw(50)) };
      };
      review.upstream.play((request) => {
        if (isPrompt(request)) {
          turn = { answered: 0, right: 0, wrong: [] };
          return next();
        }
        for (const index of asked) {
          const version = versions.get(index) ?? '';
          if (request.lastInput.includes(version)) turn.right += 1;
          else turn.wrong.push(`round ${round}: ${fileName(index)}: ${request.lastInput.slice(0, 300)}`);
        }
        turn.answered += 1;
        return turn.answered === commands ? { text: wholeAnswer } : next();
      });
      expect((await folder.run('review', '--no-cache')).code).toBe(1);
      rmSync(join(folder.path, '.collab'), { recursive: true });
      wrong.push(...turn.wrong);
      rights += turn.right;
    }
    expect([seed, wrong, rights]).toEqual([seed, [], rounds * commands * reads]);
  },
);

function isPrompt({ lastInput }: { readonly lastInput: string }): boolean {
  return lastInput.startsWith('{"type":"message"');
}

/** The folder that the only run may read. */
function copyOfRun(): string {
  const state = join(review.world.home, '.local/state/collab');
  return join(state, readdirSync(state).find((name) => /^\d{8}-/.test(name)) ?? '', 'kept/review');
}

function versionsOf(path: string, files: number): readonly (readonly [number, string])[] {
  const text = execFileSync(
    'cat',
    Array.from({ length: files }, (_, index) => fileName(index)),
    { cwd: path, encoding: 'utf8' },
  );
  return text
    .trimEnd()
    .split('\n')
    .map((line, index) => [index, line] as const);
}

/** Settles when so many folders of the copy exist; the complete copy has 50. */
async function untilCopied(copy: string, folders: number): Promise<void> {
  const there = (): number => (existsSync(join(copy, 'files')) ? readdirSync(join(copy, 'files')).length : 0);
  await expect.poll(there, { timeout: 20_000, interval: 5 }).toBeGreaterThanOrEqual(folders);
}
