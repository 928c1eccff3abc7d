/** The completions for Tab: commands after a slash, the words that a command takes, and paths. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { consultPhases } from '../../tags/tags.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import { chatCommands } from './chat-commands.ts';

export interface CompletionPlace {
  readonly tools: readonly Tool[];
  readonly cwd: string;
}

/** Returns the completions, and the part of the line that they replace. */
export function completeInput(line: string, { tools, cwd }: CompletionPlace): readonly [string[], string] {
  if (!line.startsWith('/') || line.startsWith('//')) return [[], line];
  const words = line.split(' ');
  const last = words.at(-1) ?? '';
  if (words.length === 1) return [commandNames(tools).filter((name) => name.startsWith(line)), line];
  if (words[0] === '/consult') {
    const phases = words.length === 2 ? consultPhases.filter((phase) => phase.startsWith(last)) : [];
    return [phases.map((phase) => `${phase} `), last];
  }
  return [paths(last, cwd), last];
}

function commandNames(tools: readonly Tool[]): readonly string[] {
  const own = chatCommands.map(({ name }) => name);
  const ofTools = tools.map(({ name, aliases }) => aliases?.[0] ?? name);
  return [...own, ...ofTools].map((name) => `/${name} `);
}

function paths(begun: string, cwd: string): string[] {
  const folder = begun.endsWith('/') ? begun : dirname(begun);
  const before = begun.includes('/') ? begun.slice(0, begun.lastIndexOf('/') + 1) : '';
  try {
    return readdirSync(join(cwd, folder), { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') || begun.slice(before.length).startsWith('.'))
      .map((entry) => `${before}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .filter((path) => path.startsWith(begun));
  } catch {
    // There is no such folder, so nothing to offer.
    return [];
  }
}
