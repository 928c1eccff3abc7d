/** The commands of a session at an editor, and how their words are read: as those of the command line. */
import type { AvailableCommand } from '@agentclientprotocol/sdk';
import { CommanderError } from 'commander';
import { CollabError } from '../../errors/collab-error.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { consultPhases } from '../../tags/tags.ts';
import { nearest } from '../../text/nearest.ts';
import { consultUsage, readConsultLine, readTaskLine } from '../../tools/commands/protocol-line.ts';
import { splitWords } from '../../tools/commands/shell-words.ts';
import type { StartLine } from '../driving/present-start.ts';
import type { Program } from '../program.ts';
import type { Prompt } from './prompt.ts';

export type PromptAct =
  | { readonly kind: 'start'; readonly request: StartRequest }
  /** `run`: its id; omitted: the session's last. */
  | { readonly kind: 'continue' | 'cancel'; readonly run: string | undefined }
  | { readonly kind: 'help' }
  /** An answer to the session's open question, else a consult. */
  | { readonly kind: 'words'; readonly text: string };

interface EditorCommand {
  readonly name: string;
  readonly description: string;
  /** The form of the words after the name; null: it takes none. */
  readonly hint: string | null;
  readonly read: (rest: string, prompt: Prompt, read: Program['read']) => PromptAct;
}

const commands: readonly EditorCommand[] = [
  {
    name: 'review',
    description: 'Review a change of this repository',
    hint: 'the working tree, or: --staged, --base <ref>, main...HEAD, pr:<number>, a diff file',
    read: (rest, { files }, read) =>
      startOf(read, ['review', ...wordsOf(rest), ...files.map((file) => `--path=${file}`)]),
  },
  {
    name: 'consult',
    description: 'Ask the advisor about requirements, a design or an implementation',
    hint: `${consultPhases.join(', ')} … then your question`,
    read: (_rest, { text }) => consultOf(text.replace(/^\s*\/consult\b/, '').trim()),
  },
  {
    name: 'run',
    description: 'Let a pair of agents work on a task, in a copy',
    hint: 'the task, then flags such as --phases requirements,design',
    read(_rest, { text }, read) {
      const { task, flags } = readTaskLine(text.replace(/^\s*\/run\b/, '').trim());
      if (task === '')
        throw new CollabError('usage', '/run has no task', { hint: 'Write the task after /run.' });
      return startOf(read, ['run', ...wordsOf(flags), '--', task]);
    },
  },
  {
    name: 'fix',
    description: 'Fix findings of a review, in a copy',
    hint: 'numbers of findings such as F1 F2, or --all-critical',
    read: (rest, _prompt, read) => startOf(read, ['fix', ...wordsOf(rest)]),
  },
  {
    name: 'continue',
    description: 'Follow a run, ask its open question again, or continue an interrupted one',
    hint: 'a run (default: the last one here)',
    read: (rest) => ({ kind: 'continue', run: oneWord(rest) }),
  },
  {
    name: 'cancel',
    description: 'End a waiting or interrupted run permanently',
    hint: 'a run (default: the last one here)',
    read: (rest) => ({ kind: 'cancel', run: oneWord(rest) }),
  },
  { name: 'help', description: 'List the commands', hint: null, read: () => ({ kind: 'help' }) },
];

/** The commands as the protocol announces them. */
export const availableCommands: AvailableCommand[] = commands.map(({ name, description, hint }) => ({
  name,
  description,
  ...(hint === null ? {} : { input: { hint } }),
}));

export const helpText = [
  ...commands.map(
    ({ name, description, hint }) => `- \`/${name}\`: ${description}${hint === null ? '' : ` (${hint})`}`,
  ),
  '- Any other text asks the advisor, or answers its question.',
].join('\n');

/** Returns what a prompt asks for. @throws CollabError `usage` */
export function readAsked(prompt: Prompt, read: Program['read']): PromptAct {
  const [, name, rest = ''] = /^\/([A-Za-z][\w-]*)(?:\s+([^]*))?$/.exec(prompt.words) ?? [];
  if (name === undefined) {
    if (prompt.text.trim() === '')
      throw new CollabError('usage', 'the prompt is empty', { hint: 'Write /help.' });
    return { kind: 'words', text: prompt.text };
  }
  const command = commands.find((known) => known.name === name);
  if (command === undefined) throw unknown(name);
  return command.read(rest, prompt, read);
}

/** A question to the advisor; the person answers when it asks back. */
export function questionToAdvisor(
  brief: string,
  {
    phase = 'implementation',
    run,
  }: { phase?: (typeof consultPhases)[number]; run?: string | undefined } = {},
): StartRequest {
  return { kind: 'consult', phase, brief, ask: true, ...(run === undefined ? {} : { run }) };
}

function consultOf(rest: string): PromptAct {
  const { phase: word, brief } = readConsultLine(rest);
  const phase = consultPhases.find((known) => known === word);
  if (phase === undefined || brief.trim() === '') {
    throw new CollabError(
      'usage',
      phase === undefined ? '/consult needs a phase' : '/consult has no question',
      {
        hint: `Write ${consultUsage}.`,
      },
    );
  }
  return { kind: 'start', request: questionToAdvisor(brief, { phase }) };
}

function startOf(read: Program['read'], words: readonly string[]): PromptAct {
  const line = parsed(read, words);
  refuseTerminalFlags(words, line);
  return { kind: 'start', request: line.request };
}

/** Refuses flags about a terminal, and those that would change files without a question. */
function refuseTerminalFlags([name, ...words]: readonly string[], { request, shown }: StartLine): void {
  const asked = Object.entries({ ...shown, ...pick(request, ['apply', 'reports']) });
  const [key] = asked.find(([, value]) => value !== undefined && value !== false) ?? [];
  const odd = key ?? (words.some((word) => word.startsWith('--result')) ? 'result' : null);
  if (odd === null) return;
  const flag =
    odd === 'reports' ? 'report' : odd.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const asksAtEnd = 'Leave it out: the run asks you at its end.';
  throw new CollabError('usage', `--${flag} is not for an editor`, {
    hint: odd === 'apply' ? asksAtEnd : `Use it at a terminal: collab ${name}.`,
  });
}

function pick(request: object, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(request).filter(([key]) => keys.includes(key)));
}

function parsed(read: Program['read'], words: readonly string[]): StartLine {
  const help = `collab ${words[0]} --help lists the flags.`;
  try {
    const starts = read(words)?.starts ?? null;
    if (starts !== null) return starts;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) {
      const text = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
      throw new CollabError('usage', text, { hint: help });
    }
  }
  throw new CollabError('usage', 'help is not shown in an editor', { hint: `At a terminal, ${help}` });
}

function wordsOf(rest: string): readonly string[] {
  const split = splitWords(rest);
  if (!split.ok) throw new CollabError('usage', split.why);
  return split.words.map(({ text }) => text);
}

function oneWord(rest: string): string | undefined {
  const [word, more] = wordsOf(rest);
  if (more === undefined) return word;
  throw new CollabError('usage', `"${more}" is one word too many`, { hint: 'Name one run, or none.' });
}

function unknown(name: string): CollabError {
  const names = commands.map((command) => command.name);
  const near = nearest(name, names);
  return new CollabError('usage', `there is no command /${name}`, {
    hint:
      near === null
        ? `The commands are ${names.map((known) => `/${known}`).join(', ')}.`
        : `Did you mean /${near}?`,
  });
}
