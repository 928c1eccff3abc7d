import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createBashTool } from './bash-tool.ts';
import type { ToolContext } from '../definition/interfaces.ts';

const env = { PATH: process.env['PATH'], HOME: '/nowhere', ANTHROPIC_API_KEY: 'CANARY', LC_ALL: 'C' };

function bash(command: string, own: Partial<ToolContext> & { seconds?: number; root?: string } = {}) {
  const { seconds, root = scratchFolder(), ...context } = own;
  return createBashTool({ root, env, shell: '/bin/sh' }).run(
    { command, ...(seconds === undefined ? {} : { timeout_seconds: seconds }) },
    { signal: new AbortController().signal, ...context },
  );
}

describe.skipIf(process.platform === 'win32')('with a shell', () => {
  test('shows what is printed on both streams in its order, and how the command ended', async () => {
    expect(await bash('echo one; echo two >&2; echo three')).toEqual({
      content: 'one\ntwo\nthree',
      isError: false,
      data: { exit_code: 0, timed_out: false },
      exitCode: 0,
    });
    expect(await bash('echo no >&2; exit 3')).toMatchObject({
      content: 'no\n(exit code 3)',
      isError: true,
      exitCode: 3,
    });
    expect(await bash('true')).toMatchObject({ content: '(no output)' });
    expect(await bash('kill -KILL $$')).toMatchObject({ content: '(ended by SIGKILL)', exitCode: null });
    expect(await bash('if')).toMatchObject({ isError: true });
  });

  test('begins in the folder, each time anew, with nothing to read', async () => {
    const root = scratchFolder();
    expect((await bash('cd / && X=1; cat; pwd', { root })).content).toBe('/');
    expect((await bash('pwd; echo "x$X"', { root })).content).toBe(`${root}\nx`);
  });

  test('no key of ours and no pager reaches the command', async () => {
    const { content } = await bash('env');
    expect(content).not.toContain('CANARY');
    expect(content.split('\n')).toEqual(expect.arrayContaining(['PAGER=cat', 'HOME=/nowhere', 'LC_ALL=C']));
  });

  test('keeps the beginning and the end of a long output, and whole lines only', async () => {
    const { content } = await bash('i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done');
    const lines = content.split('\n');
    expect([lines[0], lines.at(-1)]).toEqual(['line 0', 'line 19999']);
    expect(lines.filter((line) => !/^line \d+$/.test(line))).toEqual([
      expect.stringMatching(/^\(\d+ bytes left out\)$/),
    ]);
    expect(Buffer.byteLength(content)).toBeLessThan(62_000);
  });

  test('a time limit ends the command with all that it started', async () => {
    const root = scratchFolder();
    const { content, isError } = await bash('sleep 600 & echo $! >child; echo begun; wait', {
      root,
      seconds: 1,
    });
    expect([content, isError]).toEqual(['begun\n(ended after 1 s)', true]);
    await isGone(Number(readFileSync(join(root, 'child'), 'utf8')));
  });

  test('what a command leaves running is ended with it', async () => {
    const root = scratchFolder();
    expect(await bash('sleep 600 >/dev/null 2>&1 & echo $! >child', { root })).toMatchObject({
      isError: false,
    });
    await isGone(Number(readFileSync(join(root, 'child'), 'utf8')));
  });

  test('an abort ends the command and is passed on', async () => {
    const root = scratchFolder();
    const controller = new AbortController();
    const ended = bash('echo $$ >self; sleep 600', { root, signal: controller.signal });
    await vi.waitFor(() => expect(existsSync(join(root, 'self'))).toBe(true), 10_000);
    controller.abort(new Error('stop'));
    await expect(ended).rejects.toThrow('stop');
  });

  test('tells its output while it runs', async () => {
    const chunks: string[] = [];
    await bash('printf "\\303"; sleep 0.1; printf "\\244\\n"', {
      tellOutput: (chunk) => void chunks.push(chunk),
    });
    expect(chunks.join('')).toBe('ä\n');
  });
});

test('leave for a command is leave for that command', () => {
  const { scopeOf } = createBashTool({ root: '/', env, shell: '/bin/sh' });
  const scope = (command: string, seconds = 1) => scopeOf?.({ command, timeout_seconds: seconds });
  expect(scope('ls')).toBe(scope('ls', 2));
  expect(scope('ls')).not.toBe(scope('ls; rm -rf .'));
});

async function isGone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 10_000);
}
