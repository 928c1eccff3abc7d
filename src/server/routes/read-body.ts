/** The body of a request: its kind, its size and its fields, each with its own refusal (X002-8). */
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { explainIssues } from '../../parsers/yaml/explain-issues.ts';
import { problemResponse, Refusal } from './problem.ts';

/** Bytes of a body of JSON without a change in it. */
export const mostJsonBytes = 1024 * 1024;

export function limitBody(mostBytes: number) {
  return bodyLimit({
    maxSize: mostBytes,
    onError: () =>
      problemResponse({
        status: 413,
        detail: `The body is larger than ${mostBytes} bytes`,
        hint: 'send less, or in parts',
        // What is still on its way is not waited for.
        headers: { connection: 'close' },
      }),
  });
}

/** @throws Refusal 415, 400, 422 */
export async function readJson<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal({
      status: 415,
      detail:
        type === '' ? 'The body has no content type' : `A body of type ${type.slice(0, 100)} is not taken`,
      hint: 'send JSON with the header content-type: application/json',
    });
  }
  return fitting(parseJson(await context.req.text()), schema);
}

/** As `readJson`; a request without a body is one with an empty object. */
export async function readOptionalJson<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const hasBody = context.req.raw.body !== null && context.req.header('content-length') !== '0';
  return hasBody ? readJson(context, schema) : fitting({}, schema);
}

/** @throws Refusal 400 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal({ status: 400, detail: `The body is not JSON: ${why}` });
  }
}

/** @throws Refusal 422 naming the first field that is wrong, and the nearest right one */
export function fitting<T>(value: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [first] = explainIssues(schema, result.error.issues, 'the body');
  throw new Refusal({
    status: 422,
    detail: first?.message ?? 'The body does not fit',
    hint: first?.hint ?? null,
  });
}
