/** What a message asks for: a command of the protocol where it begins with its slash (R004-1), else something said to the lead. */
import { splitWords } from '../tools/shell-words.ts';
import { readSlashLine } from '../tools/slash-line.ts';
import type { WantedRun } from './run-manager.ts';
import type { StreamRequestBody } from './stream-request.ts';

export function wantedRun({ user_input: typed }: Pick<StreamRequestBody, 'user_input'>): WantedRun {
  const line = readSlashLine(typed);
  const title = typed.trim().split('\n', 1)[0] ?? '';
  if (line.kind === 'text')
    return { kind: 'refused', message: 'This server takes commands only: /review, /run.' };
  if (line.name === 'review') return command(['review'], line.rest, title);
  if (line.name !== 'run') return { kind: 'refused', message: `There is no command /${line.name}.` };
  // A task is said as it comes: an apostrophe in it quotes nothing.
  const [, task = '', flags = ''] = /^([^]*?)(?:(?:^|\s)(-[^]*))?$/.exec(line.rest) ?? [];
  return command(['run', ...(task.trim() === '' ? [] : [task.trim()])], flags, title);
}

function command(first: readonly string[], rest: string, title: string): WantedRun {
  const split = splitWords(rest);
  if (!split.ok) return { kind: 'refused', message: split.why };
  const args = [...first, ...split.words.map(({ text }) => text)];
  return { kind: 'command', args, text: null, title };
}
