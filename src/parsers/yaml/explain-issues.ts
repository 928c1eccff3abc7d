/** Explains a schema's refusals to the author of the value, with the nearest valid word. */
import { z } from 'zod';
import { nearest } from '../../text/nearest.ts';

export interface SchemaFault {
  readonly path: readonly PropertyKey[];
  readonly key?: string;
  readonly message: string;
  readonly hint: string | null;
}

/**
 * Explains the issues. `whole` is the name of the value itself in messages. The value must have been parsed with
 * `reportInput`.
 */
export function explainIssues(
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  whole: string,
): readonly SchemaFault[] {
  return issues.flatMap((issue) => explainIssue(schema, issue, whole));
}

function explainIssue(schema: z.ZodType, issue: z.core.$ZodIssue, whole: string): readonly SchemaFault[] {
  const { path } = issue;
  const name = path.length === 0 ? whole : path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey(schema, { path, key, among: issue.input }));
  }
  if (issue.code === 'invalid_key')
    return [unknownKey(schema, { path: path.slice(0, -1), key: String(path.at(-1)) })];
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

interface UnknownKey {
  readonly path: readonly PropertyKey[];
  readonly key: string;
  /** The mapping that holds the key. */
  readonly among?: unknown;
}

function unknownKey(schema: z.ZodType, { path, key, among }: UnknownKey): SchemaFault {
  const known = knownKeys(schema, path, among);
  const near = nearest(key, known);
  // The keys of a record may follow a pattern, which lists none.
  const list = known.length === 0 ? null : `Known here: ${known.join(', ')}`;
  const hint = near === null ? list : `Did you mean ${near}?`;
  return { path, key, message: `unknown key ${[...path, key].join('.')}`, hint };
}

/**
 * Returns the keys that the schema allows in the mapping at a path. A union has the keys of its members whose constants,
 * such as `kind`, equal those of the mapping, otherwise of all members.
 */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[], mapping: unknown): readonly string[] {
  const root = jsonNodeSchema.parse(z.toJSONSchema(schema, { io: 'input' }));
  const nodes = path.reduce(
    (at, part) => at.flatMap((node) => alternatives(childOf(node, part))),
    alternatives(root),
  );
  const fitting = nodes.filter((node) => hasConstants(node, mapping));
  const counted = fitting.length > 0 ? fitting : nodes;
  return [
    ...new Set(counted.flatMap((node) => node.propertyNames?.enum ?? Object.keys(node.properties ?? {}))),
  ];
}

function hasConstants({ properties = {} }: JsonNode, mapping: unknown): boolean {
  if (typeof mapping !== 'object' || mapping === null) return true;
  const values = new Map<string, unknown>(Object.entries(mapping));
  return Object.entries(properties).every(
    ([key, { const: only }]) => only === undefined || values.get(key) === only,
  );
}

function childOf(node: JsonNode, part: PropertyKey): JsonNode | undefined {
  return node.properties?.[String(part)] ?? asNode(node.additionalProperties) ?? node.items;
}

function alternatives(node: JsonNode | undefined): readonly JsonNode[] {
  if (node === undefined) return [];
  const among = node.oneOf ?? node.anyOf;
  return among === undefined ? [node] : among.flatMap(alternatives);
}

interface JsonNode {
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonNode>> | undefined;
  readonly additionalProperties?: JsonNode | boolean | undefined;
  readonly items?: JsonNode | undefined;
  readonly propertyNames?: { readonly enum?: readonly string[] | undefined } | undefined;
  readonly oneOf?: readonly JsonNode[] | undefined;
  readonly anyOf?: readonly JsonNode[] | undefined;
}

const jsonNodeSchema: z.ZodType<JsonNode> = z.lazy(() =>
  z.looseObject({
    const: z.unknown().optional(),
    properties: z.record(z.string(), jsonNodeSchema).optional(),
    additionalProperties: z.union([z.boolean(), jsonNodeSchema]).optional(),
    items: jsonNodeSchema.optional(),
    propertyNames: z.looseObject({ enum: z.array(z.string()).optional() }).optional(),
    oneOf: z.array(jsonNodeSchema).optional(),
    anyOf: z.array(jsonNodeSchema).optional(),
  }),
);

function asNode(value: JsonNode | boolean | undefined): JsonNode | undefined {
  return typeof value === 'object' ? value : undefined;
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
