/** Faults 1.1 and 1.2, on the wire: every route for every caller, and requests that no ordinary client sends. */
import { connect } from 'node:net';
import { describe } from 'vitest';
import { z } from 'zod';
import { smallDiff } from '../../../src/runs/rehearsed-review.test-helper.ts';
import { executor } from '../../../src/server/served.test-helper.ts';
import { test } from '../../packed/place.ts';
import {
  begunSchema,
  guest,
  isTouched,
  json,
  open,
  patient,
  post,
  review,
  say,
  secret,
} from './guest-target.ts';
import { sendBytes, sendRaw } from '../raw-request.ts';

const theirs = '/api/tenants/other/conversations';
const openApiSchema = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** Two tenants; a conversation and an ended run of `other` contain 4711. */
async function openPair(...args: Parameters<typeof open>) {
  const target = await open(args[0], ['--require-token', ...(args[1] ?? [])]);
  const [acme, other] = [await target.token('acme'), await target.token('other')];
  const said = { user_input: 'the words 4711 of other', executor };
  await post(target, `${theirs}/first/stream`, said, other.headers);
  const reviewed = { kind: 'review', input: { diff: smallDiff.replaceAll('total.ts', '4711.ts') } };
  const begun = await post(target, `${theirs}/second/runs`, reviewed, other.headers);
  const { run_id: run } = begunSchema.parse(JSON.parse(begun.text));
  // The stream closes when the run has ended; a test that scripts the model next would script this run too.
  await sendRaw(target.served.url, `${theirs}/second/stream`, { headers: other.headers });
  await post(target, `${guest}/first/stream`, { user_input: 'hello', executor }, acme.headers);
  return { target, url: target.served.url, acme, other, run };
}

test('each documented route accepts only its tenant’s token', patient, async ({ place, expect }) => {
  const { target, url, acme, other, run } = await openPair(place);
  const gone = await target.token('other');
  await target.revoke(gone.id);
  const bearer = other.headers['authorization'] ?? '';
  const { paths } = openApiSchema.parse(JSON.parse((await sendRaw(url, '/openapi.json')).text));
  const routes = Object.entries(paths)
    .filter(([path]) => path.includes('{tenant}'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    );
  expect(routes.length).toBeGreaterThan(10);
  const callers = [
    [{}, 401],
    [gone.headers, 401],
    [{ authorization: bearer.slice(0, -1) }, 401],
    [{ authorization: `${bearer}, ${bearer}` }, 401],
    [acme.headers, 404],
  ] as const;
  // Its token has no grants.
  const needGrants = new Set(['GET branches', 'POST dismissals']);
  const wrong: unknown[] = [];
  for (const [method, route] of routes) {
    const path = route
      .replace('{tenant}', 'other')
      .replace('{conversation}', route.includes('{run}') ? 'second' : 'first')
      .replace('{run}', run)
      .replace('{digest}', '0'.repeat(64))
      .replace('{name}', 'x');
    const body = method === 'POST' ? { body: '{}' } : {};
    for (const [headers, status] of callers) {
      const answer = await sendRaw(url, path, { method, headers: { ...json, ...headers }, ...body });
      if (answer.status !== status || answer.text.includes('4711')) wrong.push([method, path, answer.status]);
    }
    const own = await sendRaw(url, path, { method, headers: { ...json, ...other.headers }, ...body });
    const refused = needGrants.has(`${method} ${route.split('/').at(-1)}`) ? [401] : [401, 403];
    if (refused.includes(own.status)) wrong.push([method, path, 'own', own.status]);
  }
  expect(wrong).toEqual([]);
});

test(
  'another method, or a header that names one or another path, gives nothing',
  patient,
  async ({ place, expect }) => {
    const { url, acme, run } = await openPair(place);
    const ends = ['', '/first', '/first/stream', `/second/runs/${run}`, `/second/runs/${run}/diff`];
    for (const method of [
      'HEAD',
      'OPTIONS',
      'PUT',
      'PATCH',
      'DELETE',
      'TRACE',
      'PROPFIND',
      'PURGE',
      'LOCK',
    ]) {
      for (const end of ends) {
        const { status, text, headers } = await sendRaw(url, `${theirs}${end}`, {
          method,
          headers: acme.headers,
        });
        const leaked = [
          text.includes('4711'),
          headers['access-control-allow-origin'],
          headers['content-range'],
        ];
        expect([method, end, [404, 405].includes(status), ...leaked]).toEqual([
          method,
          end,
          true,
          false,
          undefined,
          undefined,
        ]);
        expect([method, end, (await sendRaw(url, `${theirs}${end}`, { method })).status]).toEqual([
          method,
          end,
          401,
        ]);
      }
    }
    const overriding = [
      { 'x-http-method-override': 'POST' },
      { 'x-method-override': 'DELETE' },
      { 'x-original-url': `${theirs}/first` },
      { 'x-rewrite-url': `${theirs}/first` },
      { 'x-forwarded-path': `${theirs}/first` },
      { 'x-tenant': 'other', 'x-forwarded-user': 'other' },
    ];
    for (const headers of overriding) {
      const nothing = await sendRaw(url, `${guest}/nothing`, { headers: { ...headers, ...acme.headers } });
      expect([headers, nothing.status, nothing.text.includes('4711')]).toEqual([headers, 404, false]);
    }
    for (const query of [
      'tenant=other',
      '_method=DELETE',
      'limit[]=1',
      '__proto__[tenant]=other',
      'before=zzzz',
    ]) {
      const { status, text } = await sendRaw(url, `${guest}?${query}`, { headers: acme.headers });
      expect([query, status, text.includes('4711')]).toEqual([query, 200, false]);
    }
  },
);

describe('bytes that no client would send', () => {
  test('in the head of a request', patient, async ({ place, expect }) => {
    const { url, acme, other } = await openPair(place);
    const { host } = new URL(url);
    const [own, foreign] = [acme, other].map(({ headers }) => `authorization: ${headers['authorization']}`);
    const head = (line: string, ...lines: readonly (string | undefined)[]) =>
      [line, `host: ${host}`, ...lines, '', ''].join('\r\n');
    const get = (path: string, ...lines: readonly (string | undefined)[]) =>
      head(`GET ${path} HTTP/1.1`, ...lines, 'connection: close');
    const cancel = (...lines: readonly string[]) =>
      head(`POST ${guest}/first/cancel HTTP/1.1`, own, 'content-type: application/json', ...lines);
    const smuggled = get(`${theirs}/first`, own);
    const sent: Readonly<Record<string, readonly [string, readonly string[]]>> = {
      'two tokens, the own one first': [get(`${theirs}/first`, own, foreign), ['401']],
      'two tokens, the foreign one first': [get(guest, foreign, own), ['401']],
      'a folded header': [get(guest, `authorization:\r\n ${own?.slice(15)}`), ['400']],
      'line feeds alone': [smuggled.replaceAll('\r\n', '\n'), ['400']],
      'a second request in the same connection': [
        head(`GET ${guest} HTTP/1.1`, own) + get(`${theirs}/first`),
        ['200', '401'],
      ],
      'two hosts': [get(guest, own, 'host: evil.example'), ['403']],
      'two lengths': [`${cancel('content-length: 2', 'content-length: 200')}{}${smuggled}`, ['400']],
      'a length and chunks': [
        `${cancel('content-length: 4', 'transfer-encoding: chunked')}2\r\n{}\r\n0\r\n\r\n${smuggled}`,
        ['400'],
      ],
      'an unknown encoding': [`${cancel('transfer-encoding: xchunked')}{}`, ['400']],
      'a chunk of no length': [`${cancel('transfer-encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`, ['400']],
      'a trailer with a token': [
        `${cancel('transfer-encoding: chunked', 'connection: close')}2;x=y\r\n{}\r\n0\r\n${foreign}\r\n\r\n`,
        ['409'],
      ],
      'an upgrade': [get(`${theirs}/first`, own, 'upgrade: h2c').replace('close', 'upgrade'), ['404']],
      'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ['400']],
      'a tunnel': [head(`CONNECT ${host} HTTP/1.1`, own), []],
      'HTTP/0.9': [`GET ${guest}\r\n\r\n`, ['400']],
      'a token with a zero': [get(guest, own?.replace('Bearer ', 'Bearer \0')), ['400']],
      'a token after a tab': [get(guest, own?.replace('Bearer ', 'Bearer\t')), ['401']],
      backslashes: [get(theirs.replaceAll('/', '\\'), own), ['400']],
      'an absolute address': [get(`http://evil.example${theirs}/first`, own), ['404']],
      dots: [get(`${guest}/../../other/conversations/first`, own), ['404']],
      'coded dots': [get(`${guest}/%2e%2e/%2E%2e/other/conversations/first`, own), ['404']],
      'coded slashes': [get(`${guest}/..%2f..%2fother/conversations/first`, own), ['404']],
      'two slashes': [get(`/${theirs}/first`, own), ['404']],
      capitals: [get(theirs.toUpperCase(), own), ['404']],
    };
    for (const [what, [bytes, statuses]] of Object.entries(sent)) {
      const text = await sendBytes(url, bytes);
      const answered = Array.from(text.matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => status);
      expect([what, answered, text.includes('4711')]).toEqual([what, statuses, false]);
    }
    expect((await sendRaw(url, '/api/health')).status).toBe(200);
  });

  test(
    'a body that is too large is not read, with a length or in chunks',
    patient,
    async ({ place, expect }) => {
      const { url, acme } = await openPair(place);
      const { host } = new URL(url);
      for (const [path, most] of [
        [`${guest}/first/cancel`, 1024 * 1024],
        ['/api/session', 4096],
      ] as const) {
        const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${acme.headers['authorization']}\r\ncontent-type: application/json\r\n`;
        const chunk = `${most.toString(16)}\r\n${'x'.repeat(most)}\r\n`;
        for (const bytes of [
          `${head}content-length: ${most * 1000}\r\n\r\n`,
          `${head}transfer-encoding: chunked\r\n\r\n${chunk}${chunk}`,
        ]) {
          expect(await sendBytes(url, bytes)).toMatch(/^HTTP\/1\.1 413 /);
        }
      }
    },
  );

  test('a body that is cut off is not logged as a bug', patient, async ({ place, expect }) => {
    const { target, url, acme } = await openPair(place);
    const { host, port, hostname } = new URL(url);
    const cut = (path: string, type: string) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname);
        socket.on('close', () => resolve());
        // Cut once the server reads the body.
        socket.once('data', () => socket.write('{"user_in', () => socket.destroy()));
        socket.write(
          [
            `POST ${path} HTTP/1.1`,
            `host: ${host}`,
            `authorization: ${acme.headers['authorization']}`,
            `content-type: ${type}`,
            'content-length: 1000',
            'expect: 100-continue',
            '',
            '',
          ].join('\r\n'),
        );
      });
    for (const type of ['application/json', 'multipart/form-data; boundary=b']) {
      for (const path of [`${guest}/x/stream`, `${guest}/x/runs`, `${guest}/first/cancel`, '/api/session'])
        await cut(path, type);
    }
    expect((await sendRaw(url, '/api/health')).status).toBe(200);
    await target.served.kill();
    expect(target.served.stderr()).not.toContain('aborted');
  });
});

test('a cookie counts for its own tenant, whatever is sent with it', patient, async ({ place, expect }) => {
  const { target, url, acme, other } = await openPair(place);
  const cookieOf = async ({ headers }: typeof acme) => {
    const token = headers['authorization']?.slice('Bearer '.length);
    const { headers: sent } = await post(target, '/api/session', { token }, { origin: url });
    return String(sent['set-cookie']).split(';')[0] ?? '';
  };
  const [own, foreign] = [await cookieOf(acme), await cookieOf(other)];
  const name = own.split('=')[0] ?? '';
  const tried: Readonly<Record<string, readonly [Readonly<Record<string, string>>, number, number]>> = {
    'the own token and the cookie of another': [{ ...acme.headers, cookie: foreign }, 200, 404],
    'a wrong token and a cookie': [{ authorization: 'Bearer collab_token_x', cookie: own }, 401, 401],
    'two cookies': [{ cookie: `${own}; ${foreign}` }, 200, 404],
    'a prefix': [{ cookie: `__Host-${own}` }, 401, 401],
    capitals: [{ cookie: own.replace(name, name.toUpperCase()) }, 401, 401],
    'the id of one and the secret of another': [
      { cookie: `${own.slice(0, -43)}${foreign.slice(-43)}` },
      401,
      401,
    ],
    'a token as the cookie': [{ cookie: `${name}=${acme.headers['authorization']?.slice(7)}` }, 401, 401],
    'a path': [{ cookie: `${name}=../tokens/${acme.id}` }, 401, 401],
  };
  for (const [what, [headers, ownStatus, foreignStatus]] of Object.entries(tried)) {
    const answers = [
      await sendRaw(url, `${guest}/first`, { headers }),
      await sendRaw(url, `${theirs}/first`, { headers }),
    ];
    expect([what, ...answers.map(({ status }) => status)]).toEqual([what, ownStatus, foreignStatus]);
  }
});

test('an id is only a name, however it is spelled', patient, async ({ place, expect }) => {
  const { target, url, acme } = await openPair(place);
  const names = [
    '__proto__',
    'constructor',
    'toString',
    'con',
    'NUL',
    'aux.txt',
    '...',
    '.git',
    '-rf',
    '--help',
  ];
  for (const name of [...names, 'First', 'FIRST', 'a'.repeat(128)]) {
    const before = await sendRaw(url, `${guest}/${name}`, { headers: acme.headers });
    const said = await post(
      target,
      `${guest}/${name}/stream`,
      { user_input: `I am ${name}`, executor },
      acme.headers,
    );
    const after = await sendRaw(url, `${guest}/${name}`, { headers: acme.headers });
    expect([name, before.status, said.status, after.status, after.text.includes('hello')]).toEqual([
      name,
      404,
      200,
      200,
      false,
    ]);
    const elsewhere = [
      await sendRaw(url, `/api/tenants/${name}/conversations`, { headers: acme.headers }),
      await sendRaw(url, `${guest}/first/runs/${name}`, { headers: acme.headers }),
      await post(target, `${guest}/first/runs/${name}/answers/${name}`, { value: 1 }, acme.headers),
    ];
    expect([name, ...elsewhere.map(({ status }) => status)]).toEqual([name, 404, 404, 404]);
  }
  for (const name of [
    'a'.repeat(129),
    '%D0%B0cme',
    'acme%CC%81',
    '%EF%BD%81cme',
    '%00',
    '%',
    '%u0041',
    '~',
    'a b',
    '*',
  ]) {
    const path = `/api/tenants/${name.replaceAll(' ', '%20')}/conversations`;
    expect([name, (await sendRaw(url, path, { headers: acme.headers })).status]).toEqual([name, 400]);
  }
  expect(target.served.stderr()).toBe('');
});

test(
  'a position in the stream of another conversation or tenant is ignored',
  patient,
  async ({ place, expect }) => {
    const { target, url, acme, run } = await openPair(place);
    const said = await post(target, `${guest}/next/stream`, { user_input: 'next', executor }, acme.headers);
    const [turn = 'none'] = /\d{8}-\d{6}-\w+/.exec(said.text) ?? [];
    const wrong = [
      '-1',
      '1.5',
      '1e3',
      '0x1',
      'null',
      '1,2',
      '+1',
      '00',
      '9'.repeat(20),
      `${run}:1`,
      `${turn}:1`,
    ];
    for (const last of wrong) {
      for (const send of [
        { headers: { ...acme.headers, 'last-event-id': last } },
        { headers: acme.headers, query: `?after=${last}` },
      ]) {
        const { status, text } = await sendRaw(
          url,
          `${guest}/first/stream${'query' in send ? send.query : ''}`,
          send,
        );
        expect([last, [400, 404].includes(status), text.includes('4711')]).toEqual([last, true, false]);
      }
    }
    const cancelled = await post(target, `${guest}/next/cancel`, { run_id: run }, acme.headers);
    expect(cancelled.status).toBe(409);
  },
);

/** Commands, flags and spellings that start nothing for a guest. */
const idleLines = [
  '/review\u00a0--report json=pwned',
  '/review\u2028--config x',
  '/run\u0085x',
  '/Review',
  '/REVIEW HEAD~1..HEAD',
  '/review\0',
  '/review --ran\u200bge HEAD',
  '/review --plan',
  '/review --json',
  '/review --detach',
  '/review -- -',
  '/review --format json',
  '/review --suppressions=',
  '/review --rules ../../x',
  '/review --include "../**"',
  '/review --exclude "$(touch pwned)"',
  '/review --focus `touch pwned`',
  "/review '",
  '/review "\\',
  '/run x --lead caller',
  '/consult design --run x',
  '/consult design @private.txt',
  '/serve token create --tenant local --may owner',
  '/tools run Read private.txt',
  '/chat',
  '/answer x y',
  '/apply x',
  '/clean --all',
  '/init',
  '/doctor',
  `/${'a'.repeat(100_000)}`,
  `/review ${'-'.repeat(100_000)}`,
];

test('no spelling of a command starts anything for a guest', patient, async ({ place, expect }) => {
  const target = await open(place);
  for (const line of idleLines) {
    const { text } = await say(target, line);
    const found = [text.includes('"status":"error"'), text.includes(secret), text.includes('collab_token_')];
    expect([line.slice(0, 60), ...found]).toEqual([line.slice(0, 60), true, false, false]);
  }
  for (const flag of ['--help', '-h', '--version', '-V']) {
    expect((await say(target, `/review ${flag}`)).text).toContain(`review ${flag} starts no run`);
  }
  expect([isTouched(target), target.upstream.requests.length, target.served.stderr()]).toEqual([
    false,
    0,
    '',
  ]);
});

function many(count: number, value: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`t${index}`, value + String(index)]),
  );
}

test('names and values of tokens cannot enlarge a message', patient, async ({ place, expect }) => {
  const target = await open(place);
  const letters = Array.from('abcdefghijkl');
  // Each name is made of the next value: masked in turn, they would grow to 20^12.
  const growing = Object.fromEntries(
    letters.map((letter, index) => [(letters[index + 1] ?? 'z').repeat(20), letter]),
  );
  expect((await say(target, 'abc', { tokens: growing })).text).toContain('"status":"success"');
  const { text } = await say(target, `my ${secret}`, { tokens: { '$&': secret } });
  expect([
    text.includes('"status":"success"'),
    text.includes(secret),
    target.sent().includes(secret),
  ]).toEqual([true, false, false]);
  const refused = [
    { tokens: many(51, 'x') },
    { tokens: { x: 'y'.repeat(9000) } },
    { tokens: { ['x'.repeat(101)]: 'y' } },
    { preferred_skills: Array.from({ length: 21 }, () => 'own') },
    { user_input: 'x'.repeat(1024 * 1024 + 1) },
  ];
  for (const body of refused) expect((await say(target, 'hello', body)).status).toBe(422);
  expect((await sendRaw(target.served.url, '/api/health')).status).toBe(200);
});

test('a guest’s glob cannot block the server', patient, async ({ place, expect }) => {
  const target = await open(place);
  const input = { diff: smallDiff.replaceAll('src/total.ts', 'a'.repeat(300)) };
  for (const field of ['include', 'exclude']) {
    const { status, text } = await review(target, { [field]: [`${'*a'.repeat(30)}b`], input });
    expect([field, status, text]).toEqual([field, 422, expect.stringContaining('take too long to match')]);
  }
  expect((await sendRaw(target.served.url, '/api/health')).status).toBe(200);
});

test('on an open server a token counts for its tenant and grants', patient, async ({ place, expect }) => {
  const target = await open(place);
  const { url } = target.served;
  const [reader, bare] = [
    await target.token('acme', '--may', 'tool:Read,repo:project'),
    await target.token('acme'),
  ];
  const owner = '/api/tenants/local/conversations';
  let talks = 0;
  const read = (headers: Readonly<Record<string, string>>, base = guest) =>
    post(target, `${base}/o${(talks += 1)}/stream`, { user_input: '/Read private.txt', executor }, headers);
  expect((await read(reader.headers)).text).toContain(secret);
  expect((await read(bare.headers)).text).toContain('is not for the tenant acme');
  expect((await read({})).text).toContain('is not for the tenant acme');
  expect((await read(reader.headers, owner)).status).toBe(404);
  expect((await read({}, owner)).text).toContain(secret);
  await target.revoke(reader.id);
  expect([(await read(reader.headers)).status, (await read(reader.headers, owner)).status]).toEqual([
    401, 401,
  ]);
  expect((await sendRaw(url, owner, { headers: { authorization: 'Bearer of-a-proxy' } })).status).toBe(200);
});

test('no run that starts while its token is revoked continues', patient, async ({ place, expect }) => {
  const { target, url, acme } = await openPair(place);
  const second = await target.token('acme');
  target.upstream.play(() => ({ hang: 'headers' }));
  const body = { kind: 'review', input: { diff: smallDiff } };
  const begin = (index: number) => post(target, `${guest}/race${index}/runs`, body, acme.headers);
  const started = Array.from({ length: 12 }, (_, index) => begin(index));
  await target.revoke(acme.id);
  const answers = await Promise.all(started);
  expect(answers.filter(({ status }) => ![201, 401, 503].includes(status)).map(({ text }) => text)).toEqual(
    [],
  );
  await expect.poll(() => target.upstream.openTurns()).toBe(0);
  for (const [index, { status, text }] of answers.entries()) {
    if (status !== 201) continue;
    const { run_id: run } = begunSchema.parse(JSON.parse(text));
    const path = `${guest}/race${index}/runs/${run}`;
    await expect
      .poll(async () => (await sendRaw(url, path, { headers: second.headers })).text)
      .toContain('"state":"ended","outcome"');
  }
  expect((await begin(99)).status).toBe(401);
});
