/**
 * Compares queries of GitHub's GraphQL API, and the answers of a loopback, with GitHub's own schema, which test/forge/api pins.
 * `npm run test:agents` installs it; without it, nothing is compared.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { areDescriptionsInstalled, descriptionFolder } from './descriptions.ts';
import type { ForgeServerAnswer, ForgeServerRequest } from './forge-server.ts';

const requestSchema = z.strictObject({ query: z.string(), variables: z.record(z.string(), z.unknown()) });
const answerSchema = z.strictObject({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(z.looseObject({ message: z.string() }))
    .min(1)
    .optional(),
});

interface Fault {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
}
interface Execution {
  readonly schema: unknown;
  readonly document: unknown;
  readonly rootValue: unknown;
  readonly variableValues: unknown;
  readonly typeResolver: () => string;
}
/** The functions of the package graphql, version 16, that are used here. */
const librarySchema = z.object({
  buildSchema: functionOf<(text: string, options: { readonly assumeValid: boolean }) => unknown>(),
  parse: functionOf<(query: string) => unknown>(),
  validate: functionOf<(schema: unknown, document: unknown) => readonly Fault[]>(),
  executeSync:
    functionOf<(execution: Execution) => { readonly data?: unknown; readonly errors?: readonly Fault[] }>(),
});

function functionOf<Type>(): z.ZodType<Type> {
  return z.custom<Type>((value) => typeof value === 'function');
}

type Check = (request: ForgeServerRequest, answer: ForgeServerAnswer) => readonly string[];

/** Returns the differences, in words. */
export const checkQuery: Check = (...exchange) => {
  check ??= areDescriptionsInstalled() ? createCheck() : () => [];
  return check(...exchange);
};

let check: Check | null = null;

function createCheck(): Check {
  const { buildSchema, parse, validate, executeSync } = librarySchema.parse(
    createRequire(import.meta.url)(`${descriptionFolder}/node_modules/graphql/index.js`),
  );
  const text = readFileSync(
    `${descriptionFolder}/node_modules/@octokit/graphql-schema/schema.graphql`,
    'utf8',
  );
  const schema = buildSchema(text, { assumeValid: true });

  return ({ body }, answer) => {
    const request = requestSchema.safeParse(body);
    if (!request.success) return [`the GraphQL request: ${request.error.message}`];
    const document = parse(request.data.query);
    const faults = validate(schema, document);
    if (faults.length > 0) return faults.map(({ message }) => message);
    // GitHub answers a refused request as its other API does.
    if (answer.status >= 400) return [];
    const given = answerSchema.safeParse(answer.body);
    if (!given.success) return [`the GraphQL answer: ${given.error.message}`];
    return compare(document, request.data.variables, given.data);
  };

  /** Executes the query over the answer: what the schema does not allow is an error, and what the query does not ask for is missing. */
  function compare(
    document: unknown,
    variableValues: Readonly<Record<string, unknown>>,
    { data, errors }: z.infer<typeof answerSchema>,
  ): readonly string[] {
    if (errors !== undefined) return [];
    if (data === undefined || data === null) return ['the GraphQL answer has neither data nor errors'];
    const done = executeSync({ schema, document, rootValue: data, variableValues, typeResolver });
    if (done.errors !== undefined)
      return done.errors.map(({ message, path }) => `${path?.join('.') ?? 'the request'}: ${message}`);
    const [whole, given] = [done.data, data].map((one) => JSON.stringify(one));
    const isSame = isDeepStrictEqual(JSON.parse(whole ?? ''), JSON.parse(given ?? ''));
    return isSame ? [] : [`the GraphQL answer is ${given}, and the query asks for ${whole}`];
  }
}

/** Our queries ask for one thing that has several types, a node. */
function typeResolver(): string {
  return 'PullRequestReviewThread';
}
