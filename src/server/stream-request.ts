/** The body of a POST that begins a run (R002-9, R002-10): a form with `request_data`, or the same object as JSON. */
import type { Context } from 'hono';
import { z } from 'zod';
import { Refusal } from './problem.ts';
import { readWanted, titleOf, type RunRequest } from './run-request.ts';
import { withoutTokens } from './without-tokens.ts';
import { fitting, parseJson, readJson } from './read-body.ts';

const executorSchema = z.looseObject({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  employee_id: z.string().nullish(),
});

export const streamRequestSchema = z.looseObject({
  user_input: z.string().min(1),
  executor: executorSchema,
  tokens: z.record(z.string(), z.string()).nullish(),
  preferred_skills: z.array(z.string()).nullish(),
  /** Ours: what becomes of the run when this request's connection closes before its end (X002-10). */
  on_disconnect: z.enum(['continue', 'cancel']).nullish(),
});
export type StreamRequestBody = z.infer<typeof streamRequestSchema>;

/** @throws Refusal 400, 415, 422 */
export async function readStreamRequest(context: Context): Promise<StreamRequestBody> {
  const type = context.req.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) return readJson(context, streamRequestSchema);
  const data = (await formOf(context)).get('request_data');
  if (typeof data === 'string') return fitting(parseJson(data), streamRequestSchema);
  throw new Refusal({
    status: 422,
    detail: 'The form has no field request_data',
    hint: "it holds the request as JSON: curl -F 'request_data={…}'",
  });
}

export function runRequest({
  user_input: typed,
  tokens,
  preferred_skills: skills,
}: StreamRequestBody): RunRequest {
  return {
    wanted: readWanted(typed),
    title: titleOf(withoutTokens(typed, tokens ?? {})),
    skills: skills ?? [],
    tokens: tokens ?? {},
    attachments: [],
  };
}

async function formOf(context: Context): Promise<FormData> {
  try {
    return await context.req.formData();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal({ status: 400, detail: `The form cannot be read: ${why}` });
  }
}
