/** The installed command at a real terminal: tmux has the pseudo-terminal; the test sends keys and reads the screen. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import type { Place } from './place.ts';

const run = promisify(execFile);

export interface Terminal {
  /** Keys by tmux' names; other text is typed unchanged. */
  types(...keys: readonly string[]): Promise<void>;
  /** Pastes like a terminal with bracketed paste. */
  pastes(text: string): Promise<void>;
  sees(text: string | RegExp): Promise<void>;
  /** The lines that are visible and those above them. */
  screen(): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** The modes in which the command has left the terminal. */
  modes(): Promise<TerminalModes>;
  /** All bytes that the command has written so far, escape sequences included. */
  written(): string;
}

export interface TerminalModes {
  readonly echoes: boolean;
  readonly showsCursor: boolean;
  readonly isAlternate: boolean;
  /** The last request of the command, if any. */
  readonly bracketsPaste: boolean;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Besides the place's own variables. */
  readonly env?: Readonly<Record<string, string>>;
}

let terminals = 0;

/** Starts the command; when it ends, `left with <code>` is on the screen. */
export async function openTerminal(
  place: Place,
  args: readonly string[],
  { columns = 100, rows = 50, env: more = {} }: TerminalOptions = {},
): Promise<Terminal> {
  terminals += 1;
  const socket = `collab-${process.pid}-${terminals}`;
  const log = join(place.folder, `../terminal-${terminals}.log`);
  const env = { ...place.environment, TERM: 'xterm', PATH: process.env['PATH'] ?? '', ...more };
  const tmux = async (...words: readonly string[]): Promise<string> =>
    (await run('tmux', ['-L', socket, '-f', '/dev/null', ...words], { env })).stdout;
  // Some variables tmux sets itself.
  const own = ['-u', 'TMUX', `TERM=${more['TERM'] ?? 'xterm'}`];
  const command = ['env', ...own, process.execPath, place.command, ...args]
    .map((word) => `'${word}'`)
    .join(' ');
  const size = ['-x', String(columns), '-y', String(rows)];
  await tmux('new-session', '-d', '-c', place.folder, ...size, 'sleep 60');
  await tmux('set-option', 'remain-on-exit', 'on');
  await tmux('pipe-pane', `cat >'${log}'`);
  await tmux('respawn-pane', '-k', '-c', place.folder, `${command}; echo "left with $?"; exec sleep 60`);
  // The place ends all of its processes, including this one, before it is removed.
  onTestFinished(async () => void (await tmux('kill-server').catch(() => undefined)));
  const screen = (): Promise<string> => tmux('capture-pane', '-p', '-J', '-S', '-500');
  const written = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  return {
    async types(...keys) {
      await tmux('send-keys', ...keys);
    },
    async pastes(text) {
      await tmux('set-buffer', text);
      await tmux('paste-buffer', '-p', '-r');
    },
    async sees(text) {
      const wanted = typeof text === 'string' ? text.replaceAll('\t', '       ') : text;
      await expect.poll(screen, { timeout: 45_000, interval: 50 }).toMatch(wanted);
    },
    screen,
    async resize(newColumns, newRows) {
      await tmux('resize-window', '-x', String(newColumns), '-y', String(newRows));
    },
    async modes() {
      const asked = ['#{pane_tty}', '#{cursor_flag}', '#{alternate_on}'].join(' ');
      const [tty = '', cursor, alternate] = (await tmux('display-message', '-p', asked)).trim().split(' ');
      const { stdout } = await run('stty', ['-a', '-F', tty]);
      return {
        echoes: / echo /.test(stdout) && / icanon /.test(stdout),
        showsCursor: cursor === '1',
        isAlternate: alternate === '1',
        bracketsPaste: written().lastIndexOf('\u001b[?2004h') > written().lastIndexOf('\u001b[?2004l'),
      };
    },
    written,
  };
}
