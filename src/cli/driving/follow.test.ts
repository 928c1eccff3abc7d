/** A run in a process of its own: here a small program takes the place of `collab`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { collab, type Performed } from '../command.test-helper.ts';
import { changedRepository } from '../reviewed.test-helper.ts';

/** Starts a review inside Claude Code, or with these flags, whose own process is this program. */
function reviewApart(program: string, flags: readonly string[], inside = true): Promise<Performed> {
  const file = join(scratchFolder(), 'collab.mjs');
  writeFileSync(file, program);
  const before = process.argv[1] ?? '';
  process.argv[1] = file;
  onTestFinished(() => void (process.argv[1] = before));
  const repository = changedRepository();
  const env = { ...repository.env, ...(inside ? { CLAUDECODE: '1' } : {}) };
  return collab({ ...repository, env }, ['review', '--advisor', 'static_review', ...flags]);
}

const echo = 'console.error("worked"); console.log(process.argv.slice(2).join(" ")); process.exitCode = 3;';

test('inside Claude Code the output and the exit code are those of the process that resumes the run', async () => {
  const { code, out, err } = await reviewApart(echo, []);
  expect([code, err]).toEqual([3, 'worked\n']);
  expect(out).toMatch(/^resume \S+ --format terminal\n$/);
});

test('its process gets the flags for the display', async () => {
  const { out } = await reviewApart(echo, ['--format', 'json', '--ascii', '--verbose']);
  expect(out).toMatch(/^resume \S+ --format json --ascii --verbose\n$/);
});

test('a process that is killed leaves a run that can be continued', async () => {
  const { code, out, err } = await reviewApart('process.kill(process.pid, "SIGKILL");', []);
  expect([code, out]).toEqual([4, '']);
  expect(err).toMatch(/^the run's process has ended; continue it: collab resume \S+\n$/);
});

test('--detach reports the last line of a process that ended before it drove the run', async () => {
  const { code, out, err } = await reviewApart('console.error("first\\nlast");', ['--detach'], false);
  expect([code, out]).toEqual([4, '']);
  expect(err).toMatch(/^collab: the background process ended immediately: last\n/);
});
