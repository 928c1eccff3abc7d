/** The request in a message: a protocol command if it starts with the command's slash (R004-1), otherwise text for the lead. */
import type { Speaker } from '../../access/speaker.ts';
import { consultUsage, readConsultLine, readTaskLine } from '../../tools/commands/protocol-line.ts';
import { splitWords } from '../../tools/commands/shell-words.ts';
import { readSlashLine } from '../../tools/commands/slash-line.ts';

/** A request to start a run in a conversation. */
export interface RunRequest {
  readonly speaker: Speaker;
  readonly wanted: WantedRun;
  /** The request in one line. */
  readonly title: string;
  readonly skills: readonly string[];
  readonly tokens: Readonly<Record<string, string>>;
  /** Attachments of the message (X002-25). */
  readonly files: readonly AttachedFile[];
}

export interface AttachedFile {
  /** For display only; never used as a path. */
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export type WantedRun =
  /** As typed after `collab`; `text` replaces standard input. */
  | { readonly kind: 'command'; readonly args: readonly string[]; readonly text: string | null }
  /** A message for the lead, or a tool command. */
  | { readonly kind: 'turn'; readonly does: 'say' | 'tool'; readonly text: string }
  /** A request that cannot be started. */
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
