/** YAML text → a value of a schema, or everything that is wrong with it, each with its place and the nearest right word. */
import { z } from 'zod';
import { nearest } from '../errors/nearest.ts';
import { readYaml, type Position, type PositionOf } from './read-yaml.ts';

export interface YamlFault {
  readonly position: Position;
  readonly message: string;
  readonly hint: string | null;
}

export type YamlReading<T> =
  | { readonly ok: true; readonly value: T; readonly positionOf: PositionOf }
  | {
      readonly ok: false;
      readonly faults: readonly YamlFault[];
      /** What the text says all the same; undefined where it is no YAML. */
      readonly value: unknown;
      readonly positionOf: PositionOf;
    };

/** Faults come in the order of the text. A text without content is read as an empty mapping. */
export function readYamlAs<T>(schema: z.ZodType<T>, text: string): YamlReading<T> {
  const yaml = readYaml(text);
  if (!yaml.ok) {
    const { position } = yaml;
    const faults = [{ position, message: lowerFirst(yaml.message), hint: null }];
    return { ok: false, faults, value: undefined, positionOf: () => position };
  }
  const result = schema.safeParse(yaml.value ?? {}, { reportInput: true });
  if (result.success) return { ok: true, value: result.data, positionOf: yaml.positionOf };
  const faults = result.error.issues
    .flatMap((issue) => explainIssue(schema, issue))
    .map(({ path, key, message, hint }) => ({ position: yaml.positionOf(path, key), message, hint }))
    .toSorted((one, other) => comparePositions(one.position, other.position));
  return { ok: false, faults, value: yaml.value, positionOf: yaml.positionOf };
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly key?: string;
  readonly message: string;
  readonly hint: string | null;
}

function explainIssue(schema: z.ZodType, issue: z.core.$ZodIssue): readonly Fault[] {
  const { path } = issue;
  const name = path.length === 0 ? 'the file' : path.join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(schema, path, key));
  if (issue.code === 'invalid_key') return [unknownKey(schema, path.slice(0, -1), String(path.at(-1)))];
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    const given = typeof issue.input === 'string' ? issue.input : null;
    const near = given === null ? null : nearest(given, values);
    const hint = near === null ? null : `Did you mean ${near}?`;
    return [{ path, message: `${name}: must be ${values.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`, hint }];
  }
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  const message = `${name}: ${missing ? 'is missing' : lowerFirst(issue.message)}`;
  return [{ path, message, hint: null }];
}

function unknownKey(schema: z.ZodType, path: readonly PropertyKey[], key: string): Fault {
  const known = knownKeys(schema, path);
  const near = nearest(key, known);
  const hint = near === null ? `Known here: ${known.join(', ')}` : `Did you mean ${near}?`;
  return { path, key, message: `unknown key ${[...path, key].join('.')}`, hint };
}

/** The keys that the schema allows in the mapping at a path. */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const root = jsonNodeSchema.parse(z.toJSONSchema(schema, { io: 'input' }));
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

export function comparePositions(one: Position, other: Position): number {
  return one.line - other.line || one.column - other.column;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
