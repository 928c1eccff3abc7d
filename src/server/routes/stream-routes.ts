/** The three routes of specification 002's stream: start a run, resume reading it, end it. */
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { parseEventId } from '../../views/stream/frame.ts';
import { askedBy, base, placeIn } from './conversation-path.ts';
import { conflict, notThere, Refusal } from './problem.ts';
import { mostUploadBytes } from './limits.ts';
import { limitBody, mostJsonBytes, readOptionalJson } from './read-body.ts';
import { sendFrames, sendRest, type StreamEnv } from './send-frames.ts';
import type { ServerContext } from './server-context.ts';
import { readStreamRequest, runRequest } from './stream-request.ts';

export function streamRoutes(server: ServerContext): Hono<StreamEnv> {
  const { conversations, runs } = server;

  const placeOf = (context: Context<StreamEnv>) => placeIn(conversations, context);

  return new Hono<StreamEnv>()
    .post(`${base}/stream`, limitBody(mostUploadBytes), async (context) => {
      const place = placeOf(context);
      const request = await readStreamRequest(context);
      const stream = await runs.begin(place, runRequest(request, askedBy(context)));
      const sent = await sendFrames(server, context, { source: stream, after: 0 });
      const isLeft = stream.endSeq() === null && !server.stopping.aborted;
      if (isLeft && request.body.on_disconnect === 'cancel') await runs.cancel(place, stream.runId);
      return sent;
    })
    .get(`${base}/stream`, async (context) => {
      const place = placeOf(context);
      const last = lastEventId(context);
      const runId = last?.runId ?? (await runs.newest(place));
      if (runId === null) throw notThere('There is no such conversation, or nothing was started in it');
      const source = await runs.stream(place, runId);
      if (source === null) throw notThere(`There is no run ${runId} in this conversation`);
      return sendRest(server, context, { source, after: last?.seq ?? 0 });
    })
    .post(`${base}/cancel`, limitBody(mostJsonBytes), async (context) => {
      const place = placeOf(context);
      const { run_id: runId } = await readOptionalJson(context, cancelSchema);
      if ((await runs.newest(place)) === null) throw notThere('There is no such conversation');
      switch (await runs.cancel(place, runId ?? null)) {
        case 'asked':
          return context.json({ status: 'cancelling' }, 202);
        case 'nothing_runs':
          throw conflict('Nothing runs in this conversation');
        case 'another_runs':
          throw conflict(`The run ${runId} is no longer running; another one is`);
      }
    });
}

/** Returns the position of a returning reader; null if it has read nothing. @throws Refusal 400 */
function lastEventId(context: Context): ReturnType<typeof parseEventId> {
  const text = context.req.header('last-event-id') ?? context.req.query('after') ?? '';
  const place = parseEventId(text);
  if (place !== null || text === '') return place;
  throw new Refusal({
    status: 400,
    detail: 'The position is not from a stream of this server',
    hint: 'send the unchanged id of the last event: <run_id>:<seq>',
  });
}

export const cancelSchema = z.looseObject({ run_id: z.string().nullish() });
