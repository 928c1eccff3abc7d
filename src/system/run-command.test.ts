import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../test/fixtures/is-alive.ts';
import { runCommand, type CommandOptions, type CommandResult } from './run-command.ts';

const programs = resolve(import.meta.dirname, '../../test/fixtures/bin');
const wholeEnding = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  missing: false,
  startFailure: null,
  stderr: '',
  truncated: false,
};

function program(name: string, ...args: readonly string[]): CommandOptions {
  return {
    file: process.execPath,
    args: [join(programs, `${name}.mjs`), ...args],
    cwd: programs,
    env: { PATH: process.env['PATH'] ?? '' },
    maxOutputBytes: 1024 * 1024,
  };
}

function endingOf({ stdout: _stdout, stderr: _stderr, ...ending }: CommandResult): object {
  return ending;
}

test('a program gets its arguments, folder, input and exactly the given environment', async () => {
  const result = await runCommand({
    ...program('shows-surroundings', '--flag', 'a b'),
    env: { ONLY: 'this' },
    input: 'héllo\n',
  });
  expect({ ...result, stdout: JSON.parse(result.stdout) }).toEqual({
    ...wholeEnding,
    stdout: { args: ['--flag', 'a b'], env: { ONLY: 'this' }, cwd: programs, input: 'héllo\n' },
  });
});

test('standard input ends immediately if none is given', async () => {
  expect(await runCommand(program('half-a-line'))).toEqual({ ...wholeEnding, stdout: 'first half' });
});

test('output is returned as bytes on request, and every chunk is passed on as it arrives', async () => {
  const chunks: Buffer[] = [];
  const result = await runCommand({
    ...program('half-a-line'),
    output: 'bytes',
    onStdoutChunk: (chunk) => chunks.push(chunk),
  });
  expect(result.stdout).toEqual(Buffer.from('first half'));
  expect(Buffer.concat(chunks)).toEqual(result.stdout);
});

test('a program that reads nothing of a large input is not a failure', async () => {
  const result = await runCommand({ ...program('closes-stdin'), input: 'x'.repeat(4 * 1024 * 1024) });
  expect(result).toEqual({ ...wholeEnding, stdout: 'not listening\n' });
});

test('a flood on standard error is not a failure; its end is kept', async () => {
  const result = await runCommand(program('floods-stderr'));
  expect({ ...result, stderr: result.stderr.slice(-17) }).toEqual({
    ...wholeEnding,
    exitCode: 3,
    stdout: 'done\n',
    stderr: 'x\nthe last words\n',
  });
  expect(result.stderr).toHaveLength(64 * 1024);
});

test('a flood on standard output is cut at the bound and the program is ended', async () => {
  const result = await runCommand({ ...program('floods-stdout'), maxOutputBytes: 100_000 });
  expect(result).toEqual({
    ...wholeEnding,
    exitCode: null,
    signal: 'SIGTERM',
    truncated: true,
    stdout: 'y'.repeat(100_000),
  });
});

test('a program that ignores SIGTERM is killed after the grace time', async () => {
  const controller = new AbortController();
  const result = await runCommand({
    ...program('ignores-sigterm'),
    graceMs: 200,
    signal: controller.signal,
    onStdoutChunk: () => controller.abort(),
  });
  expect(endingOf(result)).toEqual({
    ...endingOf({ ...wholeEnding, stdout: '' }),
    exitCode: null,
    signal: 'SIGKILL',
    aborted: true,
  });
  expect(isAlive(Number.parseInt(result.stdout, 10))).toBe(false);
});

test('a program that takes too long is ended and reported as timed out', async () => {
  const result = await runCommand({
    ...program('half-a-line'),
    args: ['-e', 'setInterval(() => {}, 1000)'],
    timeoutMs: 50,
  });
  expect(result).toEqual({ ...wholeEnding, exitCode: null, signal: 'SIGTERM', timedOut: true, stdout: '' });
});

test('an abort ends the program', async () => {
  const controller = new AbortController();
  const result = await runCommand({
    ...program('half-a-line'),
    args: ['-e', "process.stdout.write('up'); setInterval(() => {}, 1000)"],
    signal: controller.signal,
    onStdoutChunk: () => controller.abort(),
  });
  expect(result).toEqual({
    ...wholeEnding,
    exitCode: null,
    signal: 'SIGTERM',
    aborted: true,
    stdout: 'up',
  });
});

test('nothing is started after an abort', async () => {
  const result = await runCommand({ ...program('half-a-line'), signal: AbortSignal.abort() });
  expect(result).toEqual({ ...wholeEnding, exitCode: null, aborted: true, stdout: '' });
});

test('a grandchild that holds the pipes is ended with its group', async () => {
  const result = await runCommand({ ...program('leaves-grandchild'), graceMs: 200 });
  expect(endingOf(result)).toEqual(endingOf({ ...wholeEnding, stdout: '' }));
  expect(isAlive(Number.parseInt(result.stdout, 10))).toBe(false);
});

test('a grandchild in a session of its own is not waited for', async () => {
  const result = await runCommand({ ...program('leaves-grandchild', '--own-session'), graceMs: 200 });
  process.kill(Number.parseInt(result.stdout, 10), 'SIGKILL');
  expect(endingOf(result)).toEqual(endingOf({ ...wholeEnding, stdout: '' }));
});

test('a missing program is distinguished from a missing folder', async () => {
  const nowhere = join(tmpdir(), 'collab-no-such-folder');
  const missing = await runCommand({ ...program('x'), file: 'collab-no-such-program', args: [] });
  const lost = await runCommand({ ...program('half-a-line'), cwd: nowhere });
  const unstarted = { ...wholeEnding, exitCode: null, startFailure: 'ENOENT', stdout: '' };
  expect([missing, lost]).toEqual([{ ...unstarted, missing: true }, unstarted]);
});

test('a file that is not a program is a start failure', async () => {
  const result = await runCommand({ ...program('x'), file: join(programs, 'half-a-line.mjs'), args: [] });
  expect(result).toEqual({ ...wholeEnding, exitCode: null, startFailure: 'EACCES', stdout: '' });
});

test('standard output is not read while its receiver is busy', async () => {
  const stop = new AbortController();
  let isBusy = false;
  let [taken, early] = [0, 0];
  await runCommand({
    ...program('floods-stdout'),
    maxOutputBytes: 0,
    signal: stop.signal,
    async onStdoutChunk() {
      if (stop.signal.aborted) return;
      if (isBusy) early += 1;
      isBusy = true;
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      isBusy = false;
      if ((taken += 1) === 20) stop.abort();
    },
  });
  expect({ taken, early }).toEqual({ taken: 20, early: 0 });
});

test('a busy receiver gets all output of a child that has ended', async () => {
  const sizeBytes = 192 * 1024;
  const input = new PassThrough();
  let handed = 0;
  const result = await runCommand({
    ...program('half-a-line'),
    args: ['-e', `process.stdout.write('y'.repeat(${sizeBytes})); process.stdin.resume()`],
    input,
    maxOutputBytes: 0,
    onStdoutChunk: (chunk) => {
      handed += chunk.length;
      input.end();
      return new Promise(() => {});
    },
  });
  expect(result).toEqual({ ...wholeEnding, stdout: '' });
  expect(handed).toBe(sizeBytes);
});

test('a receiver that refuses output of a child that has ended is no error of the process', async () => {
  const unhandled: unknown[] = [];
  const keep = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', keep);
  onTestFinished(() => void process.off('unhandledRejection', keep));
  let handed = '';
  const result = await runCommand({
    ...program('half-a-line'),
    file: '/bin/sh',
    args: ['-c', '(while kill -0 $$ 2>/dev/null; do :; done; echo late) & exit 0'],
    maxOutputBytes: 0,
    onStdoutChunk: (chunk) => {
      handed += chunk.toString();
      return Promise.reject(new Error('stopped'));
    },
  });
  await nextTurn();
  expect({ code: result.exitCode, handed, unhandled }).toEqual({ code: 0, handed: 'late\n', unhandled: [] });
});

test('output that is only passed on is neither kept nor bounded', async () => {
  let handed = 0;
  const stop = new AbortController();
  const result = await runCommand({
    ...program('floods-stdout'),
    maxOutputBytes: 0,
    signal: stop.signal,
    onStdoutChunk: (chunk) => {
      handed += chunk.length;
      if (handed > 4_000_000) stop.abort();
    },
  });
  expect(result).toMatchObject({ aborted: true, stdout: '', truncated: false });
});
