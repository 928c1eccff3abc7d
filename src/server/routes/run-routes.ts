/** The routes of a conversation's runs: start, list, show, answer, cancel. */
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { masked } from '../../secrets/mask-secrets.ts';
import { askedBy, base, placeIn } from './conversation-path.ts';
import { readId } from './ids.ts';
import { mostUploadBytes } from './limits.ts';
import { pageOf } from './paging.ts';
import { conflict, notThere, Refusal } from './problem.ts';
import { fitting, limitBody, mostJsonBytes, readJsonBody } from './read-body.ts';
import { answerQuestion, answerSchema } from '../runs/run-answer.ts';
import { diffOf } from '../runs/run-diff.ts';
import { dismissalRequestSchema, listDismissals, dismissServed } from '../runs/run-dismissals.ts';
import { inFieldNames, requestOf, runFieldsSchema } from './run-fields.ts';
import { fileOf, fileQuerySchema } from '../runs/run-file.ts';
import { cancelServed } from '../runs/cancel-served.ts';
import { recordsOf } from '../runs/run-records.ts';
import { describeRun, runSummarySchema, summariseRun, type RunPlace } from '../runs/run-view.ts';
import { sendRest, type StreamEnv } from './send-frames.ts';
import type { ServerContext } from './server-context.ts';
import type { TenantRuns } from '../runs/tenant-runs.ts';

/** Sorted newest first, by the time in the ids. */
export const runListSchema = z.object({ runs: z.array(runSummarySchema), next: z.string().nullable() });

export function runRoutes(server: ServerContext, tenantRuns: TenantRuns): Hono<StreamEnv> {
  const { conversations, engine, runs } = server;
  const placeOf = (context: Context<StreamEnv>) => placeIn(conversations, context);

  /** @throws Refusal 404 if there is no such run, 400 for an invalid id */
  async function runOf(context: Context<StreamEnv>): Promise<RunPlace> {
    const runId = readId('run', context.req.param('run'));
    const found = await tenantRuns.find(placeOf(context), runId);
    if (found === null) throw notThere(`There is no run ${runId} in this conversation`);
    return found;
  }

  return new Hono<StreamEnv>()
    .post(`${base}/runs`, limitBody(mostUploadBytes), async (context) => {
      const place = placeOf(context);
      const fields = await readJsonBody(context, runFieldsSchema);
      const request = requestOf(fields, askedBy(context));
      const { runId } = await runs.start(place, request).catch((error: unknown) => {
        throw inFieldNames(error, fields);
      });
      return context.json({ run_id: runId }, 201, { location: `${context.req.path}/${runId}` });
    })
    .get(`${base}/runs`, async (context) => {
      const page = pageOf(context, await tenantRuns.of(placeOf(context)), ({ runId }) => runId);
      return context.json({
        runs: await Promise.all(page.items.map((run) => summariseRun(engine, run))),
        next: page.next,
      });
    })
    .get(`${base}/runs/:run`, async (context) =>
      context.json(await describeRun(engine, await runOf(context))),
    )
    .get(`${base}/runs/:run/diff`, async (context) => {
      const diff = await diffOf(engine, await runOf(context));
      if (diff === null) throw notThere('The run has no change under review, or none yet');
      return plainText(context, diff);
    })
    .get(`${base}/runs/:run/blobs/:digest`, async (context) => {
      const run = await runOf(context);
      const digest = readDigest(context.req.param('digest'));
      const text = await engine.text(run, digest);
      if (text === null) throw notThere(`The run keeps no text ${digest}`);
      return plainText(context, masked(text));
    })
    .get(`${base}/runs/:run/events`, async (context) => {
      const after = readPlace(context);
      return sendRest(server, context, {
        source: recordsOf(server, placeOf(context), await runOf(context)),
        after,
      });
    })
    .get(`${base}/runs/:run/file`, async (context) => {
      const run = await runOf(context);
      const { path } = fitting(context.req.query(), fileQuerySchema);
      return plainText(context, await fileOf(server, run, { path, speaker: context.var.speaker }));
    })
    .get(`${base}/runs/:run/dismissals`, async (context) =>
      context.json(await listDismissals(server, await runOf(context), context.var.speaker)),
    )
    .post(`${base}/runs/:run/dismissals`, limitBody(mostJsonBytes), async (context) => {
      const run = await runOf(context);
      const wanted = await readJsonBody(context, dismissalRequestSchema);
      const done = await dismissServed(server, run, { ...wanted, speaker: context.var.speaker });
      return context.json(done, done.is_new ? 201 : 200);
    })
    .post(`${base}/runs/:run/answers/:name{.+}`, limitBody(mostJsonBytes), async (context) => {
      const run = await runOf(context);
      const { value } = await readJsonBody(context, answerSchema);
      const { speaker } = context.var;
      const name = context.req.param('name');
      await answerQuestion(server, placeOf(context), { run, speaker, name, value });
      return context.json({ status: 'taken' }, 202);
    })
    .post(`${base}/runs/:run/cancel`, limitBody(mostJsonBytes), async (context) => {
      const run = await runOf(context);
      const isCancelled = await cancelServed(server, placeOf(context), run);
      if (!isCancelled) throw conflict(`${run.runId} has already ended`);
      return context.json({ status: 'cancelling' }, 202);
    });
}

/** Names the type: without a header of its own, `HEAD` for a text ends with status 500. */
function plainText(context: Context, text: string): Response {
  return context.text(text, 200, { 'content-type': 'text/plain; charset=UTF-8' });
}

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** @throws Refusal 400 */
function readDigest(text: string): string {
  const digest = digestSchema.safeParse(text);
  if (digest.success) return digest.data;
  throw new Refusal({
    status: 400,
    detail: 'The digest is not a SHA-256 of 64 hexadecimal digits',
    hint: 'use prompt_ref from the events of the run',
  });
}

/** Returns the number of the last record that the reader has; 0 for none. @throws Refusal 400 */
function readPlace(context: Context): number {
  const text = context.req.header('last-event-id') ?? context.req.query('after') ?? '0';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Refusal({
    status: 400,
    detail: 'The position is not the number of a record',
    hint: 'send the unchanged id of the last event',
  });
}
