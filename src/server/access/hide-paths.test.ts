import { Hono } from 'hono';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createPathHider, hidePathsInAnswers } from './hide-paths.ts';

const machine = {
  cwd: '/srv/shop',
  home: '/srv/shop/.collab',
  files: ['/opt/plays/lead.yaml', '/opt/agents/codex', '/lead.yaml'],
  env: {
    HOME: '/home/ann',
    XDG_STATE_HOME: '/var/state/ann/',
    XDG_CACHE_HOME: '/mnt/My disk',
    CODEX_HOME: '',
    TMPDIR: 'tmp/here',
  },
};

function shown(text: string, tenant = 'acme'): string {
  return createPathHider(machine)(tenant)?.(text) ?? text;
}

test.each([
  ['/srv/shop/.collab is a file', '… is a file'],
  ['rehearsal:/srv/shop/script.yaml', 'rehearsal:…/script.yaml'],
  ['"/srv/shop"', '"…"'],
  ['file:///srv/shop/a.ts:3', 'file://…/a.ts:3'],
  [String.raw`{"text":"one\n/srv/shop/a\t/srv/shop/b"}`, String.raw`{"text":"one\n…/a\t…/b"}`],
  ['/home/ann/.codex/auth.json', '…/.codex/auth.json'],
  ['/var/state/ann/collab/servers/1', '…/servers/1'],
  [`${tmpdir()}/collab-codex-Ab1/files/a.ts`, '…/files/a.ts'],
  ['/var/state/ann is full, /var/state/ann/x, too', '… is full, …/x, too'],
  [
    'gcc -I/home/ann/inc -L/srv/shop/lib -isystem/home/ann -o/srv/shop/a',
    'gcc -I…/inc -L…/lib -isystem… -o…/a',
  ],
  ['-/srv/shop/a\n--/home/ann', '-…/a\n--…'],
  [`/${tmpdir()}//collab-Ab1/x`, '/…/x'],
  ['//srv//shop///a /home/./ann//b', '/…///a …//b'],
  [String.raw`{"text":"\\/srv\\/shop\\/a"}`, String.raw`{"text":"\\…\\/a"}`],
  ['file:%2F%2F%2Fhome%2Fann%2Fb', 'file:%2F%2F…%2Fb'],
  ['to=https%3A%2F%2Fx%2Fhome%2Fannika', 'to=https%3A%2F%2Fx%2Fhome%2Fannika'],
  ['/mnt/My disk/a /mnt/My%20disk/b', '…/a …/b'],
  [String.raw`cd /mnt/My\ disk/a`, 'cd …/a'],
  ['file://localhost/srv/shop/a vscode://file/home/ann/b', 'file://localhost…/a vscode://file…/b'],
  ['sftp://ann@shop.test:22/srv/shop/a', 'sftp://ann@shop.test:22…/a'],
  ['&#x2F;srv&#x2F;shop&#47;a', '…&#47;a'],
  [String.raw`\\u002fsrv\\u002fshop`, String.raw`\\…`],
  ['_/srv/shop_ and __/home/ann__', '_…_ and __…__'],
  ['\u001b[31m/srv/shop/a\u001b[0m', '\u001b[31m…/a\u001b[0m'],
  [String.raw`"\u001b[1;31m/srv/shop/a"`, String.raw`"\u001b[1;31m…/a"`],
  ['PATH=/usr/bin:/home/ann/bin:/srv/shop', 'PATH=/usr/bin:…/bin:…'],
  ['{"provider":"rehearsal","model":"/opt/plays/lead.yaml"}', '{"provider":"rehearsal","model":"…"}'],
  ['/opt/plays/lead.yaml:2:5: wrong key; /opt/agents/codex ended', '…:2:5: wrong key; … ended'],
  ['rehearsal:/lead.yaml', 'rehearsal:…'],
  ['{"model":"/old/play of \\"ann\\".yaml","x":"/old"}', '{"model":"…","x":"/old"}'],
  ['rehearsal:/old/play.yaml, rehearsal:/old/b.yaml', 'rehearsal:…, rehearsal:…'],
])('hides the machine’s folders from a guest: %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test.each([
  '/srv/shopping/a',
  'web/srv/shop/a',
  '/srv/other',
  '/home/anna',
  'https://x.example/srv/shop-old',
  './srv/shop/a',
  'https://shop.test/srv/shop/a and http://shop.test:80/home/ann',
  '~/srv/shop/a',
  '/srv/shop_old',
  '/srv-shop/a',
  'tmp/here/a',
  '{"model":"gpt-5.5","provider":"openai/compatible"}',
  'web-I/srv/shop/a',
])('leaves other paths as they are: %s', (text) => {
  expect(shown(text)).toBe(text);
});

test('hides nothing from the owner', () => {
  expect(shown('/srv/shop/a', 'local')).toBe('/srv/shop/a');
});

test('a folder at the root stays in a change about it, but the files of collab in it do not', () => {
  const hide = createPathHider({ cwd: '/app', home: '/app/.collab', files: [], env: { HOME: '/root' } })(
    'acme',
  );
  const change = '+WORKDIR /app\n+COPY . /app/src\n+RUN rm -rf /root/.cache';
  expect(hide?.(change)).toBe(change);
  expect(hide?.('/app/.collab/runs/x is a link')).toBe('…/runs/x is a link');
});

test.each(['application/json', 'text/event-stream'])('hides them in an answer of type %s', async (type) => {
  const frames = ['data: "/srv', '/shop/é"\n', '\ndata: "/home/an', 'n/b"\n\nid: 1\n', 'data: /srv/shop'];
  const sent = 'data: "…/é"\n\ndata: "…/b"\n\nid: 1\ndata: …';
  const answer = await answered('acme', type, frames);
  expect(answer).toEqual({ status: 418, type, text: sent });
  expect((await answered('local', type, frames)).text).toBe(frames.join(''));
  expect((await answered(undefined, type, ['/srv/shop'])).text).toBe('…');
  expect((await answered('acme', type, null)).text).toBe('');
});

test('a frame is sent as soon as it is whole', async () => {
  const stream = new TransformStream<Uint8Array, Uint8Array>();
  const { body } = await respond('acme', 'text/event-stream; charset=utf-8', stream.readable);
  const [writer, reader] = [stream.writable.getWriter(), body?.getReader()];
  await writer.write(new TextEncoder().encode('data: /srv/shop\n\ndata: /srv'));
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: …\n\n');
});

async function answered(tenant: string | undefined, type: string, parts: readonly string[] | null) {
  // Each byte by itself, so that a path and a letter are cut.
  const bytes = parts === null ? null : [...Buffer.from(parts.join(''))];
  const response = await respond(tenant, type, bytes === null ? null : streamOf(bytes));
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

function streamOf(bytes: readonly number[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
}

/** Answers with this body behind the middleware. */
async function respond(tenant: string | undefined, type: string, body: ReadableStream<Uint8Array> | null) {
  const app = new Hono<{ Variables: { tenant?: string } }>();
  app.use(hidePathsInAnswers(createPathHider(machine)));
  app.get('/', (context) => {
    if (tenant !== undefined) context.set('tenant', tenant);
    return new Response(body, { status: 418, headers: { 'content-type': type } });
  });
  return app.request('/');
}
