/** Builds the published description of the routes from the schemas that they validate with. */
import { z } from 'zod';
import { grantsHelp } from '../../access/grant-syntax.ts';
import { routeDocs, type RouteDoc } from './route-docs.ts';
import { rpcErrorSchema } from './mcp-routes.ts';
import { problemSchema } from './problem.ts';
import { idPattern } from './ids.ts';
import { mostFiles } from './stream-request.ts';

export function openApiDocument(version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const doc of routeDocs) paths[doc.path] = { ...paths[doc.path], [doc.method]: operationOf(doc) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'collab',
      version,
      description:
        'Two coding agents as a pair: runs, conversations and their streams. See references/server.md.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: aboutTokens },
      },
      schemas: { Problem: schemaOf(problemSchema) },
    },
  };
}

const aboutTokens = `collab serve token create --tenant <name>: a token opens one tenant. A tenant may send diffs to be reviewed and converse with a bare model without tools; grants given with --may add to it: ${grantsHelp}. What was not given is 403, or options_error in a stream.`;

function operationOf(doc: RouteDoc) {
  const { method, path, summary, answers, problems, body, isOpen = false } = doc;
  const { rpcErrors = [] } = doc;
  const statuses = new Set([...problems, ...rpcErrors, 403, 500, ...(isOpen ? [] : [400, 401, 404])]);
  return {
    operationId: operationId(method, path),
    summary,
    security: isOpen ? [] : [{ token: [] }, {}],
    parameters: [...pathParameters(path), ...queryParameters(doc), ...placeParameters(doc)],
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: {
      ...Object.fromEntries(
        [...statuses].map((status) => [status, rpcErrors.includes(status) ? rpcProblem : problem]),
      ),
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)])),
    },
  };
}

const problem = {
  description: 'Refused',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const rpcProblem = {
  ...problem,
  content: { ...problem.content, 'application/json': { schema: schemaOf(rpcErrorSchema) } },
};

function answerOf({ description, type, schema, orStream = false }: RouteDoc['answers'][number]) {
  if (type === undefined) return { description };
  const text = { schema: { type: 'string' } };
  return {
    description,
    content: {
      [type]: schema === undefined ? text : { schema: schemaOf(schema) },
      ...(orStream ? { 'text/event-stream': text } : {}),
    },
  };
}

/** Describes a body. A form holds the same object as JSON in one field, with the files as further fields. */
function requestBody({ schema, types, isOptional = false }: NonNullable<RouteDoc['body']>) {
  const whole = schemaOf(schema);
  const form = {
    schema: {
      type: 'object',
      required: ['request_data'],
      properties: { request_data: whole, files: attached },
    },
    encoding: { request_data: { contentType: 'application/json' } },
  };
  const contents = types.map((type) => [type, type === 'multipart/form-data' ? form : { schema: whole }]);
  return { required: !isOptional, content: Object.fromEntries(contents) };
}

const attached = {
  type: 'array',
  maxItems: mostFiles,
  items: { type: 'string', contentMediaType: 'application/octet-stream' },
};

function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'name' ? { type: 'string' } : { type: 'string', pattern: patternOf(name) },
  }));
}

function patternOf(name: string): string {
  return name === 'digest' ? '^[0-9a-f]{64}$' : idPattern.source;
}

function queryParameters({ query }: RouteDoc) {
  if (query === undefined) return [];
  return Object.entries(query.shape).map(([name, field]) => ({
    name,
    in: 'query',
    required: !field.isOptional(),
    schema: schemaOf(z.object({ field }).shape.field),
  }));
}

function placeParameters({ after }: RouteDoc) {
  if (after === undefined) return [];
  const schema = { type: 'string' };
  return [
    { name: 'last-event-id', in: 'header', required: false, description: after, schema },
    { name: 'after', in: 'query', required: false, description: after, schema },
  ];
}

function schemaOf(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(rest), anyJson);
}

/** Replaces recursive schemas with `{}`: local `$ref`s do not resolve in the combined document. */
function anyJson(key: string, value: unknown): unknown {
  if (key === '$defs') return undefined;
  const isReference = typeof value === 'object' && value !== null && '$ref' in value;
  return isReference ? {} : value;
}

/** `get_api_tenants_tenant_conversations` */
function operationId(method: string, path: string): string {
  return [method, ...path.split(/[^a-z]+/).filter((word) => word !== '')].join('_');
}
