/** `collab chat` at a real terminal: tmux holds the pseudo-terminal, keys go in and the screen is read. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect as waiting, onTestFinished } from 'vitest';
import { messagesInOrder, type MessagesStep } from '../upstream/messages-steps.ts';
import { startMessagesUpstream, type MessagesUpstream } from '../upstream/messages-server.ts';
import type { Place } from '../packed/place.ts';
import { claudeBin } from './claude-world.ts';
import { generous } from './review-world.ts';

/** A call of the tool that asks before it writes. */
export const writes = (file_path: string) => ({ name: 'Write', input: { file_path, content: 'new\n' } });

const run = promisify(execFile);

export interface Terminal {
  /** Keys by tmux' names; anything else is typed as it is. */
  types(...keys: readonly string[]): Promise<void>;
  /** As a terminal does that brackets what is pasted. */
  pastes(text: string): Promise<void>;
  sees(text: string): Promise<void>;
}

/** `lead` is what `--lead` is given; both vendors' programs speak with the scripted upstream. */
export async function chatWorld(
  place: Place,
  steps: readonly MessagesStep[],
  lead = 'anthropic:claude-scripted',
) {
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

let terminals = 0;

export async function startTerminal(place: Place, args: readonly string[]): Promise<Terminal> {
  const socket = `collab-chat-${process.pid}-${(terminals += 1)}`;
  const env = {
    ...place.environment,
    PATH: `${claudeBin}:${process.env['PATH'] ?? ''}`,
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
