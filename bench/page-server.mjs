// The page of dist/web on loopback, as `collab serve` sends it, with a server that has one run of any length, which is
// still running, and one review that has ended; and a bare page to compare it with: for `page.mjs`.
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { longRun } from './long-run.mjs';

const web = join(import.meta.dirname, '../dist/web');
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const bare =
  '<!doctype html><html lang="en"><title>Bare</title><main><h1>Bare</h1><button>Start</button></main></html>';
// The data that `collab serve` sends.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves `events` of run `r`; `live` of them follow the others, one per millisecond. Run `v` is the review. */
export async function startPageServer({ events, live = 0, review = null }) {
  const lastEvent = longRun(2).at(-1);
  const run = {
    run_id: 'r',
    conversation_id: 'c',
    kind: 'run',
    title: 'A long run',
    started_at: events[0].ts,
    state: 'running',
    outcome: null,
    status: null,
    ended_at: null,
  };
  const reviewed = {
    ...run,
    run_id: 'v',
    kind: 'review',
    title: 'A long review',
    state: 'ended',
    outcome: 'findings',
    status: 'success',
    ended_at: events.at(-1).ts,
  };
  const runs = review === null ? [run] : [run, reviewed];
  const conversation = {
    conversation_id: 'c',
    title: 'A conversation',
    created_at: run.started_at,
    updated_at: run.started_at,
    running_run_id: null,
    can_continue: true,
  };
  const base = '/api/tenants/local/conversations';
  const answers = {
    '/api/session': { tenant: 'local', authenticated: true, version: 'bench' },
    [base]: { conversations: [conversation] },
    [`${base}/c`]: { ...conversation, context: null, runs, messages: [] },
    [`${base}/c/runs`]: { runs, next: null },
    [`${base}/c/runs/r`]: { ...run, result: null, questions: [], last_seq: events.length },
    [`${base}/c/runs/v`]: { ...reviewed, result: review?.result, questions: [], last_seq: 2 },
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://page');
    if (pathname === `${base}/c/runs/r/events`)
      return stream(response, Number(searchParams.get('after') ?? 0));
    if (pathname === `${base}/c/runs/v/events`) return shortStream(response);
    if (pathname === `${base}/c/runs/v/diff`) return text(response, 'text/plain', review.diff);
    if (pathname in answers) return json(response, answers[pathname]);
    if (pathname === '/bare') return text(response, types['.html'], bare);
    return file(response, pathname === '/' ? '/index.html' : pathname);
  });

  /** The review's first event and its last. */
  function shortStream(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const ended = { ...lastEvent, seq: 2, outcome: 'findings', reasons: review.result.reasons };
    const both = [events[0], ended].map((event) => ({ ...event, run_id: 'v' }));
    response.end(both.map(frame).join(''));
  }

  function stream(response, after) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const early = events.slice(after, Math.max(after, events.length - live));
    response.write(early.map(frame).join(''));
    const late = events.slice(after + early.length);
    const timer = setInterval(() => {
      const next = late.splice(0, eventsPerTick);
      if (next.length === 0) clearInterval(timer);
      else response.write(next.map(frame).join(''));
    }, tickMs);
    response.on('close', () => clearInterval(timer));
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

const tickMs = 10;
const eventsPerTick = 10;

function frame(event) {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

function json(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function text(response, type, body) {
  response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
  response.end(body);
}

/** Sends the compressed form that the build wrote beside the file, if there is one. */
function file(response, path) {
  const name = join(web, normalize(path));
  if (!name.startsWith(web) || !existsSync(name)) {
    response.writeHead(404, { 'content-type': 'application/problem+json' });
    return response.end(
      JSON.stringify({ status: 404, title: 'Not Found', detail: `There is nothing at ${path}` }),
    );
  }
  const isCompressed = existsSync(`${name}.br`);
  response.writeHead(200, {
    'content-type': types[extname(name)] ?? 'application/octet-stream',
    'content-security-policy': policy,
    ...(isCompressed && { 'content-encoding': 'br' }),
  });
  return response.end(readFileSync(isCompressed ? `${name}.br` : name));
}
