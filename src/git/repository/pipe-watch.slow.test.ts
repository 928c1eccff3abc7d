import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { Deferred } from '../../system/deferred.ts';
import { findPipes, watchForPipe } from './pipe-watch.ts';

function pipeAt(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
  return path;
}

async function pipeIn(root: string): Promise<string | null> {
  return (await findPipes(root, new AbortController().signal))[0]?.path ?? null;
}

function repositoryWith(name: string) {
  const repository = scratchRepository();
  repository.write('a.txt', 'a\n');
  repository.commit('first');
  return { ...repository, pipe: pipeAt(join(repository.root, name)) };
}

describe.skipIf(process.platform === 'win32')('a pipe that git would open is found', () => {
  test.each([
    '.gitignore',
    'a/b/.gitignore',
    '.gitattributes',
    '.mailmap',
    '.gitmodules',
    '.git/refs/heads/x',
    '.git/objects/12/3456',
    'vendor/lib/.git/HEAD',
  ])('as %s', async (name) => {
    const { root, pipe } = repositoryWith(name);
    expect(await pipeIn(root)).toBe(pipe);
  });

  test('in a folder that holds no repository', async () => {
    const root = scratchFolder();
    expect(await pipeIn(root)).toBeNull();
    const pipe = pipeAt(join(root, 'deep/.gitignore'));
    expect(await pipeIn(root)).toBe(pipe);
  });

  test('among objects that the repository borrows, and behind a link among refs', async () => {
    const { root } = scratchRepository();
    const outside = scratchFolder();
    writeFileSync(join(root, '.git/objects/info/alternates'), `${join(outside, 'objects')}\n`);
    const pipe = pipeAt(join(outside, 'objects/pack/x.idx'));
    expect(await pipeIn(root)).toBe(pipe);
    renameSync(pipe, pipeAt(join(outside, 'refs/x')));
    symlinkSync(join(outside, 'refs'), join(root, '.git/refs/tags/link'));
    symlinkSync(join(root, '.git/refs'), join(root, '.git/refs/circle'));
    expect(await pipeIn(root)).toBe(join(outside, 'refs/x'));
  });

  test('and a link to a pipe or a device, but not to the empty one', async () => {
    const { root } = scratchRepository();
    symlinkSync('/dev/null', join(root, '.gitattributes'));
    expect(await pipeIn(root)).toBeNull();
    symlinkSync('/dev/zero', join(root, '.gitignore'));
    expect(await pipeIn(root)).toBe(join(root, '.gitignore'));
  });
});

test.skipIf(process.platform === 'win32')('what git does not open is passed over', async () => {
  const { root } = repositoryWith('pipe');
  pipeAt(join(root, 'src/notes.gitignore'));
  const outside = scratchFolder();
  pipeAt(join(outside, '.gitignore'));
  symlinkSync(outside, join(root, 'linked'));
  expect(await pipeIn(root)).toBeNull();
});

describe.skipIf(process.platform === 'win32')('git that takes long', () => {
  test('and waits for a pipe is stopped, and the error names the pipe', async () => {
    const { root, pipe } = repositoryWith('sub/.gitignore');
    const reader = spawn('cat', [pipe], { stdio: 'ignore' });
    let looks = 0;
    const isIdle = () => (looks += 1) < 3;
    const watch = watchForPipe({ roots: [root], isIdle, signal: undefined, patienceMs: 1 });
    await once(watch.signal, 'abort');
    expect([looks >= 3, reader.exitCode, watch.found()]).toEqual([
      true,
      null,
      expect.objectContaining({
        code: 'input',
        message: 'git waits for sub/.gitignore, which is a pipe',
        hint: 'Remove it, or put a regular file in its place.',
      }),
    ]);
    watch.close();
    await once(reader, 'close');
  });

  test('and waits for nothing is not stopped because there is a pipe', async () => {
    const { root, pipe } = repositoryWith('sub/.gitignore');
    let looks = 0;
    const many = new Deferred<void>();
    const isIdle = () => {
      if ((looks += 1) === 5) many.resolve();
      return false;
    };
    const watch = watchForPipe({ roots: [root], isIdle, signal: undefined, patienceMs: 1 });
    await many.promise;
    expect([watch.signal.aborted, watch.found()]).toEqual([false, null]);
    const reader = spawn('cat', [pipe], { stdio: 'ignore' });
    await once(watch.signal, 'abort');
    expect(watch.found()?.message).toContain('git waits for sub/.gitignore');
    watch.close();
    await once(reader, 'close');
  });
});
