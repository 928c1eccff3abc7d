/**
 * Compares requests of GitHub's REST API, and the answers of a loopback, with GitHub's own description, which test/forge/api pins.
 * `npm run test:agents` installs it; without it, nothing is compared.
 */
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { default as addFormats } from 'ajv-formats';
import { z } from 'zod';
import { areDescriptionsInstalled, descriptionFolder } from './descriptions.ts';
import type { ForgeServerAnswer, ForgeServerRequest } from './forge-server.ts';

const content = z.record(z.string(), z.unknown()).optional();
const parameterSchema = z.looseObject({ name: z.string(), in: z.string() });
const operationSchema = z.looseObject({
  parameters: z.array(z.union([parameterSchema, z.looseObject({ $ref: z.string() })])).default([]),
  requestBody: z.looseObject({ content }).optional(),
  responses: z.record(z.string(), z.union([z.looseObject({ $ref: z.string() }), z.looseObject({ content })])),
});
type Operation = z.infer<typeof operationSchema>;
const descriptionSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
});

interface Found {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

type Check = (request: ForgeServerRequest, path: string, answer: ForgeServerAnswer) => readonly string[];

/** `path`: below the API's address. Returns the differences, in words; none if the description is not installed. */
export const checkRest: Check = (...exchange) => {
  check ??= areDescriptionsInstalled() ? createCheck() : () => [];
  return check(...exchange);
};

let check: Check | null = null;

function createCheck(): Check {
  const file = `${descriptionFolder}/node_modules/@octokit/openapi/generated/api.github.com.json`;
  const document = descriptionSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'github');
  const validators = new Map<string, ValidateFunction>();
  const templates = Object.keys(document.paths)
    .toSorted((left, right) => left.split('{').length - right.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }));

  return (request, path, answer) => {
    const found = find(request.method.toLowerCase(), path);
    if (found === null) return [`GitHub has no ${request.method} ${path}`];
    return [
      ...checkQuery(found, request.query),
      ...checkBody(found, request),
      ...checkAnswer(found, request, answer),
    ].map((fault) => `${request.method} ${path}: ${fault}`);
  };

  function find(method: string, at: string): Found | null {
    const path = templates.find(({ pattern }) => pattern.test(at))?.path;
    const described = path === undefined ? undefined : document.paths[path]?.[method];
    if (path === undefined || described === undefined) return null;
    return { path, method, operation: operationSchema.parse(described) };
  }

  function checkQuery({ operation, path, method }: Found, query: URLSearchParams): readonly string[] {
    const known = operation.parameters.flatMap((one, at) => {
      const { $ref: reference } = z.looseObject({ $ref: z.string().optional() }).parse(one);
      const parameter = parameterSchema.parse(reference === undefined ? one : resolve(reference));
      const pointer = reference ?? pointerOf('paths', path, method, 'parameters', String(at));
      return parameter.in === 'query' ? [{ name: parameter.name, pointer }] : [];
    });
    return [...query].flatMap(([name, value]) => {
      const parameter = known.find((one) => one.name === name);
      if (parameter === undefined) return [`the query has no ${name}`];
      const faults = compare(`${parameter.pointer}/schema`, /^\d+$/.test(value) ? Number(value) : value);
      return faults.map((fault) => `${name} ${fault}`);
    });
  }

  function checkBody({ operation, path, method }: Found, { body }: ForgeServerRequest): readonly string[] {
    const type = Object.keys(operation.requestBody?.content ?? {})[0];
    if (type === undefined) return body === null || body === '' ? [] : ['takes no body'];
    const pointer = pointerOf('paths', path, method, 'requestBody', 'content', type, 'schema');
    const { properties } = z
      .looseObject({ properties: z.record(z.string(), z.unknown()).optional() })
      .parse(resolve(pointer));
    const unknown =
      properties === undefined
        ? []
        : Object.keys(body ?? {}).filter((name) => properties[name] === undefined);
    return [
      ...unknown.map((name) => `the body has no ${name}`),
      ...compare(pointer, body).map((fault) => `the body ${fault}`),
    ];
  }

  /** Statuses of refusals are not all described. */
  function checkAnswer(
    { operation, path, method }: Found,
    { headers }: ForgeServerRequest,
    { status, body }: ForgeServerAnswer,
  ): readonly string[] {
    const described = operation.responses[String(status)];
    if (described === undefined)
      return status < 400 ? [`has no answer ${status}`] : compare('#/components/schemas/basic-error', body);
    if (status < 400 && headers.accept === 'application/vnd.github.diff') return [];
    const { $ref: reference } = z.looseObject({ $ref: z.string().optional() }).parse(described);
    const place = reference ?? pointerOf('paths', path, method, 'responses', String(status));
    const type = Object.keys(z.looseObject({ content }).parse(resolve(place)).content ?? {})[0];
    if (type === undefined) return body === '' ? [] : [`the answer ${status} has no body`];
    return compare(`${place}/content/${escape(type)}/schema`, body).map(
      (fault) => `the answer ${status} ${fault}`,
    );
  }

  function compare(pointer: string, value: unknown): readonly string[] {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `github${encodeURI(pointer)}` });
    validators.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`.trim());
  }

  function resolve(pointer: string): unknown {
    const names = pointer
      .slice(2)
      .split('/')
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    let value: unknown = document;
    for (const name of names) value = z.record(z.string(), z.unknown()).parse(value)[name];
    const { $ref: reference } = z.looseObject({ $ref: z.string().optional() }).parse(value);
    return reference === undefined ? value : resolve(reference);
  }
}

function pointerOf(...names: readonly string[]): string {
  return `#/${names.map(escape).join('/')}`;
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
