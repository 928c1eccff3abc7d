/** What a message asks for: a command of the protocol where it begins with its slash (R004-1), else something for the lead. */
import { consultUsage, readConsultLine, readTaskLine } from '../../tools/commands/protocol-line.ts';
import { splitWords } from '../../tools/commands/shell-words.ts';
import { readSlashLine } from '../../tools/commands/slash-line.ts';

/** What is to be begun in a conversation. */
export interface RunRequest {
  readonly wanted: WantedRun;
  /** What was asked for, in one line. */
  readonly title: string;
  readonly skills: readonly string[];
  readonly tokens: Readonly<Record<string, string>>;
  /** With what is said (X002-25). */
  readonly files: readonly AttachedFile[];
}

export interface AttachedFile {
  /** For people; never a place on the disk. */
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export type WantedRun =
  /** As typed after `collab`; `text` is what it reads in place of standard input. */
  | { readonly kind: 'command'; readonly args: readonly string[]; readonly text: string | null }
  /** Something that the lead answers, or the command of a tool. */
  | { readonly kind: 'turn'; readonly does: 'say' | 'tool'; readonly text: string }
  /** Nothing that could be begun. */
  | { readonly kind: 'refused'; readonly message: string };

export function readWanted(typed: string): WantedRun {
  const line = readSlashLine(typed);
  if (line.kind === 'text') return { kind: 'turn', does: 'say', text: line.text };
  switch (line.name) {
    case 'review':
      return command(['review'], line.rest);
    case 'run': {
      const { task, flags } = readTaskLine(line.rest);
      return command(['run', ...(task === '' ? [] : [task])], flags);
    }
    case 'consult': {
      const { phase, brief } = readConsultLine(line.rest);
      if (brief.trim() === '') return { kind: 'refused', message: `Usage: ${consultUsage}` };
      return { kind: 'command', args: ['consult', phase, '--ask', '--file', '-'], text: brief };
    }
    default:
      return { kind: 'turn', does: 'tool', text: typed };
  }
}

function command(first: readonly string[], rest: string): WantedRun {
  const split = splitWords(rest);
  if (!split.ok) return { kind: 'refused', message: split.why };
  return { kind: 'command', args: [...first, ...split.words.map(({ text }) => text)], text: null };
}
