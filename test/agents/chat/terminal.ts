/** `collab chat` at a real terminal: tmux has the pseudo-terminal; the test sends keys and reads the screen. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Deferred } from '../../../src/system/deferred.ts';
import { messagesInOrder, type MessagesStep } from '../../upstream/messages-steps.ts';
import { startMessagesUpstream, type MessagesUpstream } from '../../upstream/messages-server.ts';
import type { Place } from '../../packed/place.ts';
import { claudeBin } from '../claude/claude-user.ts';
import { openTerminal, type Terminal } from '../../packed/terminal.ts';
import { generous } from '../review/review-user.ts';

/** The value of `--lead`, and the lead's names of the conversation's tools. */
export interface ChatLead {
  readonly flag: string;
  readonly toolPrefix: string;
}

/** Both vendors' programs connect to the scripted upstream. */
async function chatWorld(place: Place, steps: readonly MessagesStep[], lead: string) {
  const upstream: MessagesUpstream = await startMessagesUpstream(messagesInOrder(...steps));
  onTestFinished(() => upstream.close());
  const config = place.write(
    'collab.config.yaml',
    `providers:\n  anthropic: { base_url: "${upstream.url}" }\n  claude_code: { base_url: "${upstream.url}" }\n`,
  );
  const start = (...args: readonly string[]) =>
    startTerminal(place, ['chat', '--config', config, '--ascii', ...args]);
  return { upstream, start, terminal: await start('--lead', lead) };
}

/** Stops an answer halfway, gets the next one completely, and exits the conversation. @returns the sent requests */
export async function stopAndGoOn(place: Place, { flag }: ChatLead) {
  const gate = new Deferred<void>();
  const { terminal, upstream } = await chatWorld(
    place,
    [
      { text: `First line.\n\nSecond line.\n${'word '.repeat(60)}\n`, midway: gate.promise },
      { text: 'Second answer.' },
    ],
    flag,
  );
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
  return { terminal, requests: upstream.requests };
}

/** The lead may write one file; on another branch it may not write another. `said` is the text with its first call. */
export async function allowOneAndRefuseOne(
  place: Place,
  { flag, toolPrefix }: ChatLead,
  said: { readonly text?: string } = {},
) {
  const writes = (file_path: string) => ({
    name: `${toolPrefix}Write`,
    input: { file_path, content: 'new\n' },
  });
  const world = await chatWorld(
    place,
    [
      { ...said, tools: [writes('yes.txt')] },
      { text: 'Written.' },
      { tools: [writes('no.txt')] },
      { text: 'Not written.' },
      { text: 'As you wish.' },
    ],
    flag,
  );
  const { terminal, upstream } = world;
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
  return world;
}

/** Starts the command in a terminal and waits for its prompt. */
export async function startTerminal(place: Place, args: readonly string[]): Promise<Terminal> {
  const env = { PATH: `${claudeBin}:${process.env['PATH'] ?? ''}`, ANTHROPIC_API_KEY: 'sk-scripted' };
  const terminal = await openTerminal(place, args, { env });
  await terminal.sees('\n>');
  return terminal;
}
