/** The published document of the routes, and what an answer has that the document does not describe. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';
import { z } from 'zod';

const contentSchema = z.record(z.string(), z.looseObject({ schema: z.json() }));

const operationSchema = z.looseObject({
  parameters: z.array(
    z.looseObject({ name: z.string(), in: z.enum(['path', 'query', 'header']), required: z.boolean() }),
  ),
  security: z.array(z.json()),
  requestBody: z.looseObject({ content: contentSchema }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: contentSchema.optional() })),
});

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.json(),
});

export interface DocumentedRoute {
  readonly method: string;
  /** In OpenAPI syntax: `/api/tenants/{tenant}/conversations`. */
  readonly path: string;
  /** False if the document says that it needs no token anywhere. */
  readonly isGuarded: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required: boolean;
  }[];
  readonly takesBody: boolean;
  /** The faults of the answer to a request with this JSON body; undefined without one. */
  readonly faultsOf: (answer: GivenAnswer, body: unknown) => readonly string[];
}

export interface GivenAnswer {
  readonly status: number;
  /** The media type, without parameters; empty if there is none. */
  readonly type: string;
  /** The whole body; of an event stream, nothing. */
  readonly text: string;
}

type Operation = z.infer<typeof operationSchema>;
type Content = z.infer<typeof contentSchema>;

export function documentedRoutes(document: unknown): readonly DocumentedRoute[] {
  const { paths, components } = documentSchema.parse(document);
  const fit = createFit(components);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      isGuarded: operation.security.length > 0,
      parameters: operation.parameters,
      takesBody: operation.requestBody !== undefined,
      faultsOf: (answer: GivenAnswer, body: unknown) => [
        ...answerFaults(operation, answer, fit),
        ...bodyFaults(operation, answer, body, fit),
      ],
    })),
  );
}

type Fit = (schema: unknown, value: unknown, isExact: boolean) => readonly string[];

function answerFaults({ responses }: Operation, answer: GivenAnswer, fit: Fit): readonly string[] {
  const { status, type, text } = answer;
  if (status === 500) return [`the server failed: ${text}`];
  const documented = responses[String(status)];
  if (documented === undefined) return [`status ${status} is not documented: ${text.slice(0, 300)}`];
  if (documented.content === undefined) return text === '' ? [] : [`status ${status} has a body: ${text}`];
  const schema = documented.content[type]?.schema;
  if (schema === undefined) return [`status ${status} has the type ${JSON.stringify(type)}`];
  if (!/[/+]json$/.test(type)) return [];
  const value = parsed(text);
  if (value === undefined) return [`the body is not JSON: ${text.slice(0, 300)}`];
  const isProblem = type === 'application/problem+json';
  const isOther = isProblem && problemSchema.parse(value).status !== status;
  return [
    ...fit(schema, value, true),
    ...(isOther ? [`the problem names another status than ${status}`] : []),
  ];
}

const problemSchema = z.looseObject({ status: z.unknown() });

/** A body that the document does not describe is not accepted. */
function bodyFaults(operation: Operation, answer: GivenAnswer, body: unknown, fit: Fit): readonly string[] {
  const content: Content = operation.requestBody?.content ?? {};
  const schema = content['application/json']?.schema;
  if (answer.status >= 300 || body === undefined || schema === undefined) return [];
  return fit(schema, body, false).map((fault) => `accepted though ${fault}`);
}

function createFit(components: unknown): Fit {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const known = new Map<string, ValidateFunction>();
  return (schema, value, isExact) => {
    const text = JSON.stringify({ ...Object(schema), components }, isExact ? closed : undefined);
    const validate = known.get(text) ?? ajv.compile(z.looseObject({}).parse(JSON.parse(text)));
    known.set(text, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** Allows no fields but the documented ones, unless the document itself leaves an object open. */
function closed(_key: string, value: unknown): unknown {
  const isOpen =
    typeof value !== 'object' ||
    value === null ||
    !('properties' in value) ||
    'additionalProperties' in value;
  return isOpen ? value : { ...value, additionalProperties: false };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
