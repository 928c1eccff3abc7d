import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../test/fixtures/is-alive.ts';
import { tieToUs } from './lifeline.ts';
import { runCommand } from './run-command.ts';

const claude = { file: '/opt/claude', args: ['-p'] };

test('uses the kernel if setpriv exists, the shell elsewhere, nothing on Windows', () => {
  const linux = { os: 'linux', arch: 'x64' } as const;
  expect(tieToUs(claude, linux, () => true)).toEqual({
    file: '/usr/bin/setpriv',
    args: ['--pdeathsig', 'KILL', '--', '/opt/claude', '-p'],
    holdsPipe: false,
  });
  const shell = {
    file: '/bin/sh',
    args: expect.arrayContaining(['lifeline', '/opt/claude', '-p']),
    holdsPipe: true,
  };
  expect(tieToUs(claude, linux, () => false)).toEqual(shell);
  expect(tieToUs(claude, { os: 'darwin', arch: 'arm64' }, () => true)).toEqual(shell);
  expect(tieToUs(claude, { os: 'win32', arch: 'x64' })).toEqual({ ...claude, holdsPipe: false });
});

const programs = resolve(import.meta.dirname, '../../test/fixtures/bin');
const surroundings = { cwd: programs, env: { PATH: process.env['PATH'] ?? '' }, maxOutputBytes: 65_536 };
const withoutSetpriv = { os: 'darwin', arch: 'x64' } as const;

test.each([
  ['the kernel', undefined],
  ['the shell', withoutSetpriv],
])(
  'a child tied by %s reads its input, writes its output and ends with its own code',
  async (_, platform) => {
    const result = await runCommand({
      ...surroundings,
      file: '/bin/sh',
      args: ['-c', 'cat; echo oops >&2; exit 7'],
      input: 'a line\n',
      diesWithUs: platform ?? true,
    });
    expect(result).toMatchObject({ exitCode: 7, signal: null, stdout: 'a line\n', stderr: 'oops\n' });
  },
);

test.each([
  ['the kernel', { os: 'linux', arch: 'x64' } as const],
  ['the shell', withoutSetpriv],
])('the death of the parent ends a child tied by %s', async (_, platform) => {
  let output = '';
  const sleeper = { file: '/bin/sh', args: ['-c', 'echo "$$"; exec sleep 300'] };
  const parent = spawn(process.execPath, [
    join(programs, 'tied-parent.mjs'),
    JSON.stringify(tieToUs(sleeper, platform)),
  ]);
  parent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  await expect.poll(() => output, { timeout: 20_000 }).toMatch(/^\d+\n/);
  const child = Number.parseInt(output, 10);
  expect(isAlive(child)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(child), { timeout: 20_000 }).toBe(false);
});
