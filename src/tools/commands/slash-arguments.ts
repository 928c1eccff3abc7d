/**
 * Parses the text after a slash command as the arguments of its tool (X004-3): words, `--key value`, or one JSON object.
 */
import { z } from 'zod';
import { nearest } from '../../text/nearest.ts';
import { coerceWord, itemsOf, parseJsonWord, typesOf } from './coerce-word.ts';
import type { Refused } from '../files/inside-path.ts';
import type { ITool, Json } from '../definition/interfaces.ts';
import { splitWords, type ShellWord } from './shell-words.ts';

export type SlashArguments =
  | { readonly ok: true; readonly args: { readonly [key: string]: Json } & Json }
  | Refused;

export function readSlashArguments(rest: string, tool: Pick<ITool, 'name' | 'parameters'>): SlashArguments {
  if (/^\{[^]*\}$/.test(rest)) return readObject(rest);
  const split = splitWords(rest);
  return split.ok ? fill(split.words, tool) : split;
}

function readObject(text: string): SlashArguments {
  const value = parseJsonWord(text);
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { ok: true, args: value };
  return { ok: false, why: `${text} is not a JSON object. Quote it if it is only a word with braces.` };
}

/** Each property with its schema; required ones come first. */
type Properties = ReadonlyMap<string, unknown>;

const parametersSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

function propertiesOf(tool: Pick<ITool, 'parameters'>): Properties {
  const { required, optional } = parametersOf(tool);
  return new Map([...required, ...optional]);
}

/** Returns the properties of a tool's arguments with their schemas. */
export function parametersOf({ parameters }: Pick<ITool, 'parameters'>) {
  const { properties, required } = parametersSchema.parse(parameters);
  const others = Object.keys(properties).filter((key) => !required.includes(key));
  const withSchema = (key: string): readonly [string, unknown] => [key, properties[key]];
  return { required: required.map(withSchema), optional: others.map(withSchema) };
}

function fill(words: readonly ShellWord[], tool: Pick<ITool, 'name' | 'parameters'>): SlashArguments {
  const properties = propertiesOf(tool);
  const given = new Map<string, Json>();
  const positionals: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (word.text === '--' && !word.quoted) {
      positionals.push(...words.slice(at + 1).map(({ text }) => text));
      break;
    }
    if (word.quoted || !/^--[^-]/.test(word.text)) {
      positionals.push(word.text);
      continue;
    }
    const option = readOption(word.text, words[at + 1]?.text, properties);
    if (!option.ok) return option;
    const fault = put(given, option.key, option.value, properties.get(option.key));
    if (fault !== null) return { ok: false, why: fault };
    if (option.tookNext) at += 1;
  }
  return place(positionals, given, { properties, tool: tool.name });
}

type ReadOption =
  | { readonly ok: true; readonly key: string; readonly value: Json; readonly tookNext: boolean }
  | Refused;

/** Parses `--key=value`, `--key value`, or `--key` alone for a boolean. */
function readOption(written: string, next: string | undefined, properties: Properties): ReadOption {
  const equals = written.indexOf('=');
  const name = written.slice(2, equals < 0 ? undefined : equals);
  const key = [name, name.replaceAll('-', '_')].find((candidate) => properties.has(candidate));
  if (key === undefined) return { ok: false, why: unknownOption(name, properties) };
  const schema = properties.get(key);
  const valueOf = (word: string): Json => coerceWord(word, itemSchema(schema));
  if (equals >= 0) return { ok: true, key, value: valueOf(written.slice(equals + 1)), tookNext: false };
  if (typesOf(schema).has('boolean') && next !== 'true' && next !== 'false') {
    return { ok: true, key, value: true, tookNext: false };
  }
  if (next === undefined) return { ok: false, why: `--${name} lacks its value.` };
  return { ok: true, key, value: valueOf(next), tookNext: true };
}

/** Words for a list become its items. */
function itemSchema(schema: unknown): unknown {
  return takesList(schema) ? itemsOf(schema) : schema;
}

function takesList(schema: unknown): boolean {
  const types = typesOf(schema);
  return types.has('array') && !types.has('string');
}

/** @returns an error message, or null */
function put(given: Map<string, Json>, key: string, value: Json, schema: unknown): string | null {
  if (takesList(schema)) {
    const before = given.get(key) ?? [];
    given.set(key, [...(Array.isArray(before) ? before : [before]), value]);
    return null;
  }
  if (given.has(key)) return `${key} is given twice.`;
  given.set(key, value);
  return null;
}

interface Places {
  readonly properties: Properties;
  readonly tool: string;
}

/** Assigns words without a name to the free properties, in order; a list takes all the remaining words. */
function place(
  words: readonly string[],
  given: Map<string, Json>,
  { properties, tool }: Places,
): SlashArguments {
  const free = [...properties].filter(([key]) => !given.has(key));
  for (const [index, word] of words.entries()) {
    const [key, schema] = free[Math.min(index, free.length - 1)] ?? [];
    if (key === undefined || (index >= free.length && !takesList(schema))) {
      return { ok: false, why: tooMany(word, tool, properties) };
    }
    put(given, key, coerceWord(word, itemSchema(schema)), schema);
    if (takesList(schema)) free.splice(index + 1);
  }
  return { ok: true, args: Object.fromEntries(given) };
}

function unknownOption(name: string, properties: Properties): string {
  const near = nearest(name.replaceAll('-', '_'), properties.keys());
  const remedy = near === null ? optionsText(properties) : `Did you mean --${near}?`;
  return `There is no option --${name}. ${remedy} Quote words that start with --.`;
}

function optionsText(properties: Properties): string {
  return properties.size === 0
    ? 'There are none.'
    : `There are ${[...properties.keys()].map((key) => `--${key}`).join(', ')}.`;
}

function tooMany(word: string, tool: string, properties: Properties): string {
  const count = properties.size === 1 ? 'one argument' : `${properties.size} arguments`;
  return `/${tool} takes ${count}: ${JSON.stringify(word)} is one too many. Quote words that belong together.`;
}
