/** Converts a word of a command line to a value that fits a JSON Schema. */
import { z } from 'zod';
import type { Json } from '../definition/interfaces.ts';

/** The parts of a property's schema that are read here; its validation reads the rest. */
const propertySchema = z.looseObject({
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  anyOf: z.array(z.unknown()).optional().catch(undefined),
  oneOf: z.array(z.unknown()).optional().catch(undefined),
  enum: z.array(z.json()).optional().catch(undefined),
  const: z.json().optional(),
  items: z.unknown().optional(),
});

/** A word that fits none of the types stays a string: the schema's own check then reports the error. */
export function coerceWord(word: string, schema: unknown): Json {
  const types = typesOf(schema);
  if (types.has('string') || types.size === 0) return word;
  for (const type of types) {
    const value = readAs(word, type);
    if (value !== undefined) return value;
  }
  return word;
}

/** Returns the types that a value of this schema can have; `word` if only certain strings fit. */
export function typesOf(schema: unknown): ReadonlySet<string> {
  const read = propertySchema.safeParse(schema);
  if (!read.success) return new Set();
  const { type = [], anyOf = [], oneOf = [], enum: values = [], const: value } = read.data;
  const constants = value === undefined ? values : [...values, value];
  if (constants.length > 0) return new Set(constants.map(typeOfConstant));
  const named = [type].flat();
  return new Set([...named, ...[...anyOf, ...oneOf].flatMap((one) => [...typesOf(one)])]);
}

/** Returns the schema of an array's items. */
export function itemsOf(schema: unknown): unknown {
  return propertySchema.safeParse(schema).data?.items;
}

function typeOfConstant(value: Json): string {
  const type = typeOfValue(value);
  return type === 'string' ? 'word' : type;
}

function typeOfValue(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function readAs(word: string, type: string): Json | undefined {
  switch (type) {
    case 'integer':
      return /^[+-]?\d+$/.test(word) ? Number(word) : undefined;
    case 'number':
      return word.trim() !== '' && Number.isFinite(Number(word)) ? Number(word) : undefined;
    case 'boolean':
      return { true: true, false: false }[word];
    case 'null':
      return word === 'null' ? null : undefined;
    case 'object':
    case 'array': {
      const value = parseJsonWord(word);
      return value !== undefined && typeOfValue(value) === type ? value : undefined;
    }
    default:
      return undefined;
  }
}

export function parseJsonWord(text: string): Json | undefined {
  try {
    return z.json().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
