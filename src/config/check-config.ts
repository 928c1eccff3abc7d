/** The text of a configuration file → its checked value, or an error with file, line, column and the nearest right word. */
import { z } from 'zod';
import { CollabError } from '../errors/collab-error.ts';
import { nearest } from '../errors/nearest.ts';
import { configSchema, type Config } from './config-schema.ts';
import { readYaml, type Position, type PositionOf } from './read-yaml.ts';

export interface CheckedConfig {
  readonly config: Config;
  /** The error for a value that is well-formed but cannot be used. */
  readonly refuse: (path: readonly PropertyKey[], message: string, hint: string) => CollabError;
}

/** `name` is what messages call the file. @throws CollabError `config` */
export function checkConfig(text: string, name: string): CheckedConfig {
  const yaml = readYaml(text);
  if (!yaml.ok) throw configError(name, { ...yaml, message: lowerFirst(yaml.message), hint: null });
  const result = configSchema.safeParse(yaml.value ?? {}, { reportInput: true });
  if (!result.success) throw firstFault(name, result.error.issues, yaml.positionOf);
  return {
    config: result.data,
    refuse: (path, message, hint) =>
      configError(name, { position: yaml.positionOf(path), message: `${path.join('.')}: ${message}`, hint }),
  };
}

function firstFault(name: string, issues: readonly z.core.$ZodIssue[], positionOf: PositionOf): CollabError {
  const [first, ...others] = issues
    .flatMap(explainIssue)
    .map((fault) => ({ ...fault, position: positionOf(fault.path, fault.key) }))
    .toSorted((one, other) => comparePositions(one.position, other.position));
  if (first === undefined) throw new Error('a schema refused a value without an issue');
  return configError(name, first, others.length);
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly key?: string;
  readonly message: string;
  readonly hint: string | null;
}

function explainIssue(issue: z.core.$ZodIssue): readonly Fault[] {
  const { path } = issue;
  const name = path.length === 0 ? 'the file' : path.join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key));
  if (issue.code === 'invalid_key') return [unknownKey(path.slice(0, -1), String(path.at(-1)))];
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    const given = typeof issue.input === 'string' ? issue.input : null;
    const near = given === null ? null : nearest(given, values);
    const hint = near === null ? null : `Did you mean ${near}?`;
    return [{ path, message: `${name}: must be ${values.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`, hint }];
  }
  return [{ path, message: `${name}: ${lowerFirst(issue.message)}`, hint: null }];
}

function unknownKey(path: readonly PropertyKey[], key: string): Fault {
  const known = knownKeys(path);
  const near = nearest(key, known);
  const hint = near === null ? `Known here: ${known.join(', ')}` : `Did you mean ${near}?`;
  return { path, key, message: `unknown key ${[...path, key].join('.')}`, hint };
}

/** The keys that the schema allows in the mapping at a path. */
function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const root = jsonNodeSchema.parse(z.toJSONSchema(configSchema, { io: 'input' }));
  const node = path.reduce<JsonNode | undefined>(
    (at, part) => at?.properties?.[String(part)] ?? asNode(at?.additionalProperties) ?? at?.items,
    root,
  );
  return node?.propertyNames?.enum ?? Object.keys(node?.properties ?? {});
}

interface JsonNode {
  readonly properties?: Readonly<Record<string, JsonNode>> | undefined;
  readonly additionalProperties?: JsonNode | boolean | undefined;
  readonly items?: JsonNode | undefined;
  readonly propertyNames?: { readonly enum?: readonly string[] | undefined } | undefined;
}

const jsonNodeSchema: z.ZodType<JsonNode> = z.lazy(() =>
  z.looseObject({
    properties: z.record(z.string(), jsonNodeSchema).optional(),
    additionalProperties: z.union([z.boolean(), jsonNodeSchema]).optional(),
    items: jsonNodeSchema.optional(),
    propertyNames: z.looseObject({ enum: z.array(z.string()).optional() }).optional(),
  }),
);

function asNode(value: JsonNode | boolean | undefined): JsonNode | undefined {
  return typeof value === 'object' ? value : undefined;
}

function comparePositions(one: Position, other: Position): number {
  return one.line - other.line || one.column - other.column;
}

interface Placed {
  readonly message: string;
  readonly hint: string | null;
  readonly position: Position;
}

function configError(file: string, { message, hint, position }: Placed, more = 0): CollabError {
  const also = more === 0 ? '' : ` (and ${more} more)`;
  return new CollabError('config', `${file}:${position.line}:${position.column}: ${message}${also}`, {
    ...(hint === null ? {} : { hint }),
    details: { file, ...position },
  });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
