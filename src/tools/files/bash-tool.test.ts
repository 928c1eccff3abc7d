import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { processesNaming } from '../../../test/setup/process-table.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { Confinement } from '../../system/confine.ts';
import { confinementHere } from '../../system/probe-confinement.ts';
import { createBashTool } from './bash-tool.ts';
import type { ToolContext } from '../definition/interfaces.ts';

const env = { PATH: process.env['PATH'], HOME: '/nowhere', ANTHROPIC_API_KEY: 'CANARY', LC_ALL: 'C' };

const marked: Confinement = { kind: 'marked', reason: 'a test' };
const here = await confinementHere();

interface Own extends Partial<ToolContext> {
  readonly seconds?: number;
  readonly root?: string;
  readonly how: Confinement;
}

function bashHeld(command: string, own: Own) {
  const { seconds, root = scratchFolder(), how, ...context } = own;
  return createBashTool({ root, env, shell: '/bin/sh', confinement: how, hidden: [] }).run(
    { command, ...(seconds === undefined ? {} : { timeout_seconds: seconds }) },
    { signal: new AbortController().signal, ...context },
  );
}

const ways = here.kind === 'marked' ? [marked] : [here, marked];

// The tests of time limits wait for seconds.
const concurrent = { concurrent: true };

describe.skipIf(process.platform === 'win32').each(ways)(
  'with a shell, confined by $kind',
  concurrent,
  (how) => {
    const bash = (command: string, own: Omit<Own, 'how'> = {}) => bashHeld(command, { ...own, how });

    test('shows the output of both streams in order, and how the command ended', async () => {
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
      expect(await bash('kill -KILL $$')).toMatchObject({ content: '(exit code 137)', exitCode: 137 });
      expect(await bash('if')).toMatchObject({ isError: true });
    });

    test('each call starts in the folder with empty standard input', async () => {
      const root = scratchFolder();
      expect((await bash('cd / && X=1; cat; pwd', { root })).content).toBe('/');
      expect((await bash('pwd; echo "x$X"', { root })).content).toBe(`${root}\nx`);
    });

    test('no key of ours and no pager reaches the command', async () => {
      const { content } = await bash('env');
      expect(content).not.toContain('CANARY');
      expect(content.split('\n')).toEqual(expect.arrayContaining(['PAGER=cat', 'HOME=/nowhere', 'LC_ALL=C']));
    });

    test('keeps the beginning and the end of a long output, in whole lines', async () => {
      const { content } = await bash('i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done');
      const lines = content.split('\n');
      expect([lines[0], lines.at(-1)]).toEqual(['line 0', 'line 19999']);
      expect(lines.filter((line) => !/^line \d+$/.test(line))).toEqual([
        expect.stringMatching(/^\(\d+ bytes left out\)$/),
      ]);
      expect(Buffer.byteLength(content)).toBeLessThan(62_000);
    });

    test('a time limit ends the command with everything that it started', async () => {
      const sleeper = namedSleep();
      const { content, isError } = await bash(`setsid ${sleeper} & ${sleeper} & echo begun; wait`, {
        seconds: 1,
      });
      expect([content, isError]).toEqual(['begun\n(ended after 1 s)', true]);
      await vi.waitFor(() => expect(processesNaming(sleeper)).toEqual([]), 10_000);
    });

    test.each([
      ['in the background', (sleeper: string) => `${sleeper} >/dev/null 2>&1 &`],
      ['in a session of its own', (sleeper: string) => `setsid ${sleeper} >/dev/null 2>&1 &`],
      ['deaf to hang-ups', (sleeper: string) => `nohup ${sleeper} >/dev/null 2>&1 &`],
      [
        'deaf to SIGTERM',
        (sleeper: string) => `(trap "" TERM HUP; exec setsid ${sleeper}) >/dev/null 2>&1 &`,
      ],
      ['forked twice', (sleeper: string) => `(setsid sh -c '(${sleeper} &) &' &) >/dev/null 2>&1`],
      ['in the foreground of a second shell', (sleeper: string) => `(sh -c 'setsid ${sleeper}; :' &)`],
    ])('what a command leaves running %s is ended with it', async (_, leave) => {
      const sleeper = namedSleep();
      expect(await bash(`${leave(sleeper)}\nsleep 0.1`)).toMatchObject({ isError: false });
      await vi.waitFor(() => expect(processesNaming(sleeper)).toEqual([]), 10_000);
    });

    test('the parent of a command has nothing more in its environment than the command', async () => {
      const { content } = await bash('tr "\\0" "\\n" </proc/$PPID/environ');
      expect(content).not.toContain('VITEST');
    });

    test('an abort ends the command and is passed on', async () => {
      const root = scratchFolder();
      const controller = new AbortController();
      const ended = bash('echo $$ >self; sleep 600', { root, signal: controller.signal });
      await vi.waitFor(() => expect(existsSync(join(root, 'self'))).toBe(true), 10_000);
      controller.abort(new Error('stop'));
      await expect(ended).rejects.toThrow('stop');
    });

    test('reports its output while it runs', async () => {
      const chunks: string[] = [];
      await bash('printf "\\303"; sleep 0.1; printf "\\244\\n"', {
        tellOutput: (chunk) => void chunks.push(chunk),
      });
      expect(chunks.join('')).toBe('ä\n');
    });
  },
);

test('permission for a command covers only that command', () => {
  const { scopeOf } = createBashTool({
    root: '/',
    env,
    shell: '/bin/sh',
    confinement: marked,
    hidden: [],
  });
  const scope = (command: string, seconds = 1) => scopeOf?.({ command, timeout_seconds: seconds });
  expect(scope('ls')).toBe(scope('ls', 2));
  expect(scope('ls')).not.toBe(scope('ls; rm -rf .'));
});

let naps = 600;

/** A command line that is unique among processes. */
function namedSleep(): string {
  naps += 1;
  return `sleep ${naps}.${process.pid}`;
}
