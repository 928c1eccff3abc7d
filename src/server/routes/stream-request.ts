/** The body of a POST that starts a run (R002-9, R002-10): a form with `request_data`, or the same object as JSON. */
import type { Context } from 'hono';
import { z } from 'zod';
import { Refusal } from './problem.ts';
import { readWanted, type AttachedFile, type RunRequest } from './run-request.ts';
import { withoutTokens } from '../../secrets/without-tokens.ts';
import { fitting, parseBody, readJsonBody } from './read-body.ts';

const executorSchema = z.looseObject({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  employee_id: z.string().nullish(),
});

export const streamRequestSchema = z.looseObject({
  user_input: z
    .string()
    .min(1)
    .max(1024 * 1024),
  executor: executorSchema,
  tokens: z
    .record(z.string().max(100), z.string().max(8 * 1024))
    .refine((tokens) => Object.keys(tokens).length <= 50, 'may have at most 50 tokens')
    .nullish(),
  preferred_skills: z.array(z.string().max(100)).max(20).nullish(),
  /** An extension of collab: what happens to the run if this request's connection closes before the run ends (X002-10). */
  on_disconnect: z.enum(['continue', 'cancel']).nullish(),
});
export type StreamRequestBody = z.infer<typeof streamRequestSchema>;

/** The request with its attached files. */
export interface ReceivedRequest {
  readonly body: StreamRequestBody;
  readonly files: readonly AttachedFile[];
}

export const mostFiles = 10;

/** @throws Refusal 400, 413, 415, 422 */
export async function readStreamRequest(context: Context): Promise<ReceivedRequest> {
  const type = context.req.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    return { body: await readJsonBody(context, streamRequestSchema), files: [] };
  }
  const form = await formOf(context);
  const data = form.get('request_data');
  if (typeof data === 'string') {
    return { body: fitting(parseBody(data), streamRequestSchema), files: await filesOf(form) };
  }
  throw new Refusal({
    status: 422,
    detail: 'The form has no field request_data',
    hint: "send the request as JSON: curl -F 'request_data={…}'",
  });
}

async function filesOf(form: FormData): Promise<readonly AttachedFile[]> {
  const parts = form.getAll('files').flatMap((part) => (typeof part === 'string' ? [] : [part]));
  if (parts.length > mostFiles) {
    throw new Refusal({ status: 413, detail: `A message may have ${mostFiles} files, not ${parts.length}` });
  }
  return Promise.all(
    parts.map(async (part) => ({
      name: part.name,
      mimeType: part.type === '' ? 'text/plain' : part.type,
      bytes: new Uint8Array(await part.arrayBuffer()),
    })),
  );
}

export function runRequest(
  { body, files }: ReceivedRequest,
  { speaker, token }: Pick<RunRequest, 'speaker' | 'token'>,
): RunRequest {
  const { preferred_skills: skills } = body;
  const tokens = body.tokens ?? {};
  const typed = withoutTokens(body.user_input, tokens);
  return {
    speaker,
    token,
    wanted: readWanted(typed),
    title: typed,
    skills: skills ?? [],
    tokens,
    files,
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
