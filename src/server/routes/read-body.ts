/** Reads the body of a request: its type, its size and its fields, each with a refusal of its own (X002-8). */
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { explainIssues } from '../../parsers/yaml/explain-issues.ts';
import { problemResponse, Refusal } from './problem.ts';

/** Bytes of a JSON body that holds no change. */
export const mostJsonBytes = 1024 * 1024;

export function limitBody(mostBytes: number) {
  return bodyLimit({
    maxSize: mostBytes,
    onError: () =>
      problemResponse({
        status: 413,
        detail: `The body is larger than ${mostBytes} bytes`,
        hint: 'send less, or in parts',
        // The rest of the upload is not read.
        headers: { connection: 'close' },
      }),
  });
}

/** @throws Refusal 415, 400, 422 */
export async function readJsonBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  requireJsonType(context);
  return fitting(parseBody(await context.req.text()), schema);
}

/** Like `readJsonBody`; an empty body counts as an empty object and needs no type. */
export async function readOptionalJson<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const text = await context.req.text();
  if (text.trim() === '') return fitting({}, schema);
  requireJsonType(context);
  return fitting(parseBody(text), schema);
}

/** @throws Refusal 415 */
function requireJsonType(context: Context): void {
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal({
      status: 415,
      detail:
        type === '' ? 'The body has no content type' : `A body of type ${type.slice(0, 100)} is not accepted`,
      hint: 'send JSON with the header content-type: application/json',
    });
  }
}

/** @throws Refusal 400, and 422 for a value that is nested too deeply for the functions that walk through it */
export function parseBody(text: string): unknown {
  const value = parseJson(text);
  if (isDeeper(value, deepestLevel)) {
    throw new Refusal({ status: 422, detail: `The body is nested deeper than ${deepestLevel} levels` });
  }
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal({ status: 400, detail: `The body is not JSON: ${why}` });
  }
}

const deepestLevel = 100;

/** Without recursion: the value may be as deep as its text is long. */
function isDeeper(value: unknown, levels: number): boolean {
  let level: readonly object[] = [value].filter(isObject);
  for (let depth = 0; depth < levels && level.length > 0; depth += 1) {
    level = level.flatMap((one) => Object.values(one).filter(isObject));
  }
  return level.length > 0;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** @throws Refusal 422 that names the first wrong field and the nearest correct one */
export function fitting<T>(value: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [first] = explainIssues(schema, result.error.issues, 'the body');
  throw new Refusal({
    status: 422,
    detail: first?.message ?? 'The body is invalid',
    hint: first?.hint ?? null,
  });
}
