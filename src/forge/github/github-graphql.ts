/** GitHub's GraphQL API: a failure arrives with status 200. */
import { z } from 'zod';

import { parseJson } from '../../text/parse-json.ts';
import { hostWords, unreadableAnswer, type ForgeClient, type HostFailure } from '../forge-client.ts';
import { ForgeError } from '../forge-error.ts';

export interface GraphqlQuestion<Data> {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly schema: z.ZodType<Data>;
}

const answerSchema = z.looseObject({
  data: z.unknown().optional(),
  errors: z.array(z.looseObject({ type: z.string().nullish(), message: z.string() })).nullish(),
});

/** @throws ForgeError `auth` if the login lacks a right */
export async function askGraphql<Data>(
  client: ForgeClient,
  api: string,
  { query, variables, schema }: GraphqlQuestion<Data>,
): Promise<Data> {
  const isRead = !query.trimStart().startsWith('mutation');
  const path = graphqlOf(api);
  const request = { method: 'POST', path, body: { query, variables }, isRead, hostFailureIn } as const;
  const answer = await client.read(request, answerSchema);
  const [error] = answer.errors ?? [];
  if (error !== undefined) {
    const code = codes[error.type ?? ''] ?? 'protocol';
    const message = `GitHub refused a GraphQL request: ${hostWords(error.message)}`;
    throw new ForgeError(code, message, { status: 200 });
  }
  const data = schema.safeParse(answer.data);
  if (!data.success) throw unreadableAnswer('github', path);
  return data.data;
}

/** A request that took too long has no type, and may have been done in part. */
const unfinished = /^Something went wrong while executing your query/i;

function hostFailureIn(text: string): HostFailure | null {
  const answer = answerSchema.safeParse(parseJson(text));
  const [error] = answer.data?.errors ?? [];
  if (error?.type === 'RATE_LIMITED') return 'rate_limit';
  return error !== undefined && unfinished.test(error.message) ? 'overloaded' : null;
}

const codes: Readonly<Record<string, 'auth' | 'input'>> = {
  FORBIDDEN: 'auth',
  INSUFFICIENT_SCOPES: 'auth',
  NOT_FOUND: 'input',
};

/** The nodes of a connection: GraphQL gives null for one that it could not read. */
export function nodesOf<Node>(schema: z.ZodType<Node>): z.ZodType<readonly Node[]> {
  return z
    .array(schema.nullable())
    .nullish()
    .transform((nodes) => (nodes ?? []).filter((node) => node !== null));
}

/** `https://api.github.com/graphql`, `https://host/api/graphql`. */
function graphqlOf(api: string): string {
  return `${api.replace(/\/v3$/, '')}/graphql`;
}
