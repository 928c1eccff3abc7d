// The page of dist/web on loopback, with a server that has one run of any length, which is still running: for
// `page.mjs`.
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';

const web = join(import.meta.dirname, '../dist/web');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
// The data that `collab serve` sends.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves `events`; `live` of them follow the others, one per millisecond. */
export async function startPageServer({ events, live }) {
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
    [`${base}/c`]: { ...conversation, runs: [run], messages: [] },
    [`${base}/c/runs/r`]: { ...run, result: null, questions: [], last_seq: events.length },
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://page');
    if (pathname === `${base}/c/runs/r/events`)
      return stream(response, Number(searchParams.get('after') ?? 0));
    if (pathname in answers) return json(response, answers[pathname]);
    return file(response, pathname === '/' ? '/index.html' : pathname);
  });

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

function file(response, path) {
  const name = join(web, normalize(path));
  if (!name.startsWith(web) || !existsSync(name)) {
    response.writeHead(404, { 'content-type': 'application/problem+json' });
    return response.end(
      JSON.stringify({ status: 404, title: 'Not Found', detail: `There is nothing at ${path}` }),
    );
  }
  response.writeHead(200, {
    'content-type': `${types[extname(name)] ?? 'application/octet-stream'}; charset=utf-8`,
    'content-security-policy': policy,
  });
  return response.end(readFileSync(name));
}
