import { expect, test } from 'vitest';
import { updateIndex } from './state-trees.ts';

const shortRead = 'error: short read while indexing a.ts\nerror: a.ts: failed to insert into database\n';

const ended = {
  signal: null,
  timedOut: false,
  aborted: false,
  missing: false,
  startFailure: null,
  stdout: Buffer.alloc(0),
  truncated: false,
};

function gitThatSays(...answers: readonly string[]) {
  let asked = 0;
  const inWorkTree = () => {
    const stderr = answers[Math.min(asked, answers.length - 1)] ?? '';
    asked += 1;
    const exitCode = stderr === '' ? 0 : 128;
    return Promise.resolve({ ...ended, exitCode, stderr });
  };
  return { view: { inWorkTree }, asked: () => asked };
}

test('a file that is written while git reads it is read again', async () => {
  const { view, asked } = gitThatSays(shortRead, shortRead, '');
  await updateIndex(view, ['--add'], [Buffer.from('a.ts')]);
  expect(asked()).toBe(3);
});

test('a file that never stops changing, or cannot be read, fails with git’s message', async () => {
  const busy = gitThatSays(shortRead);
  await expect(updateIndex(busy.view, [], [Buffer.from('a.ts')])).rejects.toThrow(
    'short read while indexing',
  );
  expect(busy.asked()).toBe(10);
  const closed = gitThatSays('error: open("a.ts"): Permission denied');
  await expect(updateIndex(closed.view, [], [Buffer.from('a.ts')])).rejects.toThrow('Permission denied');
  expect(closed.asked()).toBe(1);
});
