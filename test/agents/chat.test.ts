/** A conversation at a real terminal: tmux holds the pseudo-terminal, keys go in and the screen is read. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect as waiting, onTestFinished } from 'vitest';
import { messagesInOrder, type MessagesStep } from '../upstream/messages-steps.ts';
import { startMessagesUpstream, type MessagesUpstream } from '../upstream/messages-server.ts';
import { Deferred } from '../../src/runs/deferred.ts';
import { test, type Place } from '../packed/place.ts';
import { generous } from './review-world.ts';

test('streams an answer, stops it at Ctrl-C and goes on', async ({ place, expect }) => {
  const gate = new Deferred<void>();
  const { terminal, upstream } = await chatWorld(place, [
    { text: `First line.\n${'word '.repeat(60)}\n`, midway: gate.promise },
    { text: 'Second answer.' },
  ]);
  await terminal.sees('/help lists the commands');
  await terminal.types('one', 'Enter');
  await terminal.sees('First line.');
  expect(upstream.openTurns()).toBe(1);
  await terminal.types('C-c');
  await terminal.sees('stopped');
  await expect.poll(() => upstream.openTurns(), generous).toBe(0);
  gate.resolve(undefined);
  await terminal.types('two', 'Enter');
  await terminal.sees('Second answer.');
  await terminal.types('/history', 'Enter');
  await terminal.sees('#2 lead (stopped): First line.');
  await terminal.types('C-d');
  await terminal.sees('left with 0');
});

test('asks before the lead writes, runs commands, switches branches, and goes on another day', async ({
  place,
  expect,
}) => {
  const { terminal, start, upstream } = await chatWorld(place, [
    { tools: [write('yes.txt')] },
    { text: 'Written.' },
    { tools: [write('no.txt')] },
    { text: 'Not written.' },
    { text: 'As you wish.' },
  ]);
  await terminal.types('write it', 'Enter');
  await terminal.sees('file_path: yes.txt');
  await terminal.sees('[edit] Editing yes.txt');
  await terminal.sees('Allow Write?');
  await terminal.types('Enter');
  await terminal.sees('Written.');
  expect(readFileSync(join(place.folder, 'yes.txt'), 'utf8')).toBe('new\n');

  await terminal.types('/resend write another', 'Enter');
  await terminal.sees('file_path: no.txt');
  await terminal.types('Down', 'Down', 'Enter');
  await terminal.sees('Why not?');
  await terminal.types('too early', 'Enter');
  await terminal.sees('Not written.');
  expect(existsSync(join(place.folder, 'no.txt'))).toBe(false);
  expect(upstream.requests[3]?.lastInput).toContain('Write was not allowed to run: too early.');

  // Tab completes where it comes by itself, not within what is pasted.
  await terminal.types('/rea');
  await terminal.sees('> /rea');
  await terminal.types('Tab');
  await terminal.sees('> /read');
  await terminal.types('ye');
  await terminal.sees('> /read ye');
  await terminal.types('Tab');
  await terminal.sees('> /read yes.txt');
  await terminal.types('Enter');
  await terminal.sees('1\tnew');
  await terminal.types('/branch', 'Enter');
  await terminal.sees('* 2');
  await terminal.types('/branch 1', 'Enter');
  await terminal.sees('* 1');
  await terminal.types('C-c', 'C-c');
  await terminal.sees('left with 0');

  const later = await start('--resume');
  await later.types('/history', 'Enter');
  await later.sees('#1 you: write it');
  await later.sees('#2 lead: Written.');
  await later.types('Up', 'Up', 'C-u');
  await later.pastes('thank you,\n\tand good bye');
  await later.sees('thank you,⏎⇥and good bye');
  await later.types('Enter');
  await later.sees('As you wish.');
  expect(upstream.requests[4]?.lastInput).toContain(String.raw`thank you,\n\tand good bye`);
});

const write = (file_path: string) => ({ name: 'Write', input: { file_path, content: 'new\n' } });

const run = promisify(execFile);

interface Terminal {
  /** Keys by tmux' names; anything else is typed as it is. */
  types(...keys: readonly string[]): Promise<void>;
  /** As a terminal does that brackets what is pasted. */
  pastes(text: string): Promise<void>;
  sees(text: string): Promise<void>;
}

async function chatWorld(place: Place, steps: readonly MessagesStep[]) {
  const upstream: MessagesUpstream = await startMessagesUpstream(messagesInOrder(...steps));
  onTestFinished(() => upstream.close());
  const config = place.write(
    'collab.config.yaml',
    `providers:\n  anthropic: { base_url: "${upstream.url}" }\n`,
  );
  const start = (...args: readonly string[]) =>
    startTerminal(place, ['chat', '--config', config, '--ascii', ...args]);
  return { upstream, start, terminal: await start('--lead', 'anthropic:claude-scripted') };
}

let terminals = 0;

async function startTerminal(place: Place, args: readonly string[]): Promise<Terminal> {
  const socket = `collab-chat-${process.pid}-${(terminals += 1)}`;
  const env = {
    ...place.environment,
    PATH: process.env['PATH'] ?? '',
    TERM: 'xterm',
    ANTHROPIC_API_KEY: 'sk-scripted',
  };
  const tmux = async (...words: readonly string[]): Promise<string> =>
    (await run('tmux', ['-L', socket, '-f', '/dev/null', ...words], { env })).stdout;
  const command = [process.execPath, place.command, ...args].map((word) => `'${word}'`).join(' ');
  await tmux(
    'new-session',
    '-d',
    '-c',
    place.folder,
    '-x',
    '100',
    '-y',
    '50',
    `${command}; echo "left with $?"; exec sleep 60`,
  );
  onTestFinished(async () => void (await tmux('kill-server')));
  const screen = (): Promise<string> => tmux('capture-pane', '-p', '-J', '-S', '-500');
  const sees = async (text: string): Promise<void> => {
    await waiting.poll(screen, generous).toContain(text.replaceAll('\t', '       '));
  };
  await sees('\n>');
  return {
    async types(...keys) {
      await tmux('send-keys', ...keys);
    },
    async pastes(text) {
      await tmux('set-buffer', text);
      await tmux('paste-buffer', '-p', '-r');
    },
    sees,
  };
}
