/** The request in a message: a protocol command if it starts with the command's slash (R004-1), otherwise text for the lead. */
import type { Speaker } from '../../access/speaker.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { consultPhases } from '../../tags/tags.ts';
import { consultUsage, readConsultLine, readTaskLine } from '../../tools/commands/protocol-line.ts';
import { splitWords } from '../../tools/commands/shell-words.ts';
import { readSlashLine } from '../../tools/commands/slash-line.ts';

/** A request to start a run in a conversation. */
export interface RunRequest {
  readonly speaker: Speaker;
  /** The id of the token that the request came with; null if no token was required. */
  readonly token: string | null;
  readonly wanted: WantedRun;
  /** The text that the run's title is made from, once its secrets are masked: half a secret is not found. */
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
  /** The words of a command line, as typed after `collab`. */
  | { readonly kind: 'line'; readonly words: readonly string[] }
  | { readonly kind: 'start'; readonly request: StartRequest }
  /** A message for the lead, or a tool command. */
  | { readonly kind: 'turn'; readonly does: 'say' | 'tool'; readonly text: string }
  /** A request that cannot be started. */
  | { readonly kind: 'refused'; readonly message: string };

export function readWanted(typed: string): WantedRun {
  const line = readSlashLine(typed);
  if (line.kind === 'text') return { kind: 'turn', does: 'say', text: line.text };
  switch (line.name) {
    case 'review':
      return lineOf(['review'], line.rest);
    case 'run': {
      const { task, flags } = readTaskLine(line.rest);
      return lineOf(['run', ...(task === '' ? [] : [task])], flags);
    }
    case 'consult':
      return consultation(line.rest);
    default:
      return { kind: 'turn', does: 'tool', text: typed };
  }
}

function lineOf(first: readonly string[], rest: string): WantedRun {
  const split = splitWords(rest);
  if (!split.ok) return { kind: 'refused', message: split.why };
  return { kind: 'line', words: [...first, ...split.words.map(({ text }) => text)] };
}

function consultation(rest: string): WantedRun {
  const { phase: word, brief } = readConsultLine(rest);
  const phase = consultPhases.find((known) => known === word);
  if (phase === undefined || brief.trim() === '')
    return { kind: 'refused', message: `Usage: ${consultUsage}` };
  return { kind: 'start', request: { kind: 'consult', phase, brief, ask: true } };
}
