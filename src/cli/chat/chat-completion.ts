/** The completions of an input: commands after a slash, their arguments, files after `@`, and earlier inputs. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { consultPhases } from '../../tags/tags.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import { slashUsage } from '../../tools/commands/slash-usage.ts';
import { chatCommands } from './chat-commands.ts';
import { fuzzyMatches } from './fuzzy-match.ts';

export interface CompletionPlace {
  readonly tools: readonly Tool[];
  readonly cwd: string;
  /** Files that can be mentioned; empty until they are listed. */
  readonly files: () => readonly string[];
}

export interface Completions {
  /** The end of the line that a completion replaces. */
  readonly replaced: string;
  readonly items: readonly MenuItem[];
  /** Shows the completions while the user types, and not only on Tab. */
  readonly isMenu: boolean;
}

export interface MenuItem {
  readonly text: string;
  /** A short explanation; empty if the text says it all. */
  readonly about: string;
}

const mostItems = 8;

/** Returns the completions for a line before the cursor. */
export function completeInput(line: string, place: CompletionPlace): Completions {
  const mention = /(?:^|\s)(@(\S*))$/.exec(line);
  if (mention !== null) return completeFile(mention[1] ?? '', mention[2] ?? '', place.files());
  if (!line.startsWith('/') || line.startsWith('//')) return { replaced: '', items: [], isMenu: false };
  const words = line.split(' ');
  if (words.length === 1) return { replaced: line, items: commandItems(line, place.tools), isMenu: true };
  const last = words.at(-1) ?? '';
  const texts = words[0] === '/consult' ? phasesFor(words) : paths(last, place.cwd);
  return { replaced: last, items: texts.slice(0, mostItems).map(alone), isMenu: false };
}

/** Returns the earlier inputs, newest first, that fit a line. */
export function searchHistory(line: string, earlier: readonly string[]): Completions {
  const items = fuzzyMatches(line, [...new Set(earlier)], mostItems).map(alone);
  return { replaced: line, items, isMenu: true };
}

function completeFile(replaced: string, query: string, files: readonly string[]): Completions {
  const found = fuzzyMatches(query, files, mostItems);
  return { replaced, items: found.map((file) => alone(`@${file} `)), isMenu: true };
}

function alone(text: string): MenuItem {
  return { text, about: '' };
}

function phasesFor(words: readonly string[]): readonly string[] {
  const [, begun = '', ...more] = words;
  if (more.length > 0) return [];
  return consultPhases.filter((phase) => phase.startsWith(begun)).map((phase) => `${phase} `);
}

/** A name that begins with the line comes first; other letters find a command, too. */
function commandItems(line: string, tools: readonly Tool[]): readonly MenuItem[] {
  const own = chatCommands.map(({ name, says }) => ({ text: `/${name} `, about: says }));
  const ofTools = tools.map((tool) => {
    const name = tool.aliases?.[0] ?? tool.name;
    return { text: `/${name} `, about: slashUsage(tool, name) };
  });
  const known = new Map([...own, ...ofTools].map((item) => [item.text, item]));
  return fuzzyMatches(line, [...known.keys()], mostItems).flatMap((text) => known.get(text) ?? []);
}

function paths(begun: string, cwd: string): readonly string[] {
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
