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

function unknownKey(schema: z.ZodType, path: readonly PropertyKey[], key: string): SchemaFault {
  const known = knownKeys(schema, path);
  const near = nearest(key, known);
  const hint = near === null ? `Known here: ${known.join(', ')}` : `Did you mean ${near}?`;
  return { path, key, message: `unknown key ${[...path, key].join('.')}`, hint };
}

/** Returns the keys that the schema allows in the mapping at a path; for one of several schemas, those of all. */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const root = jsonNodeSchema.parse(z.toJSONSchema(schema, { io: 'input' }));
  const nodes = path.reduce(
    (at, part) => at.flatMap((node) => alternatives(childOf(node, part))),
    alternatives(root),
  );
  return [
    ...new Set(nodes.flatMap((node) => node.propertyNames?.enum ?? Object.keys(node.properties ?? {}))),
  ];
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
  readonly properties?: Readonly<Record<string, JsonNode>> | undefined;
  readonly additionalProperties?: JsonNode | boolean | undefined;
  readonly items?: JsonNode | undefined;
  readonly propertyNames?: { readonly enum?: readonly string[] | undefined } | undefined;
  readonly oneOf?: readonly JsonNode[] | undefined;
  readonly anyOf?: readonly JsonNode[] | undefined;
}

const jsonNodeSchema: z.ZodType<JsonNode> = z.lazy(() =>
  z.looseObject({
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
