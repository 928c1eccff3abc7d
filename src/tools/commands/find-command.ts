/** Finds the tool of a slash command: by full name, else by alias, else by the last part of its name (X004-1). */
import { nearestFew } from '../../text/nearest.ts';
import type { Refused } from '../files/inside-path.ts';

/** A tool, or another command listed beside the tools. */
export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
}

export function findCommand<Found extends Command>(
  name: string,
  commands: readonly Found[],
): { readonly ok: true; readonly command: Found } | Refused {
  const [found, ...others] =
    ways.map((way) => commands.filter((command) => way(command, name))).find(isFilled) ?? [];
  if (found === undefined) return { ok: false, why: unknown(name, commands) };
  if (others.length === 0) return { ok: true, command: found };
  const candidates = [found, ...others].map((candidate) => `/${candidate.name}`).toSorted();
  return { ok: false, why: `/${name} can mean ${candidates.join(', ')}. Write the one that you mean.` };
}

const ways: readonly ((command: Command, name: string) => boolean)[] = [
  (command, name) => command.name === name,
  ({ aliases = [] }, name) => aliases.includes(name),
  (command, name) => command.name.split('.').at(-1) === name,
];

function isFilled(list: readonly unknown[]): boolean {
  return list.length > 0;
}

function unknown(name: string, commands: readonly Command[]): string {
  const names = commands.flatMap((command) => [
    command.name,
    ...(command.aliases ?? []),
    ...command.name.split('.').slice(-1),
  ]);
  const near = nearestFew(name, names, 3).map((candidate) => `/${candidate}`);
  const remedy = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  return `There is no command /${name}.${remedy} To send a text that starts with a slash, write two: //${name}`;
}
