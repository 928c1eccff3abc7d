/**
 * Faults 1.1 and 1.2, further attempts: hostile values in each place of a request, by guests with and without a token.
 */
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { smallDiff, wholeAnswer } from '../../../src/runs/rehearsed-review.test-helper.ts';
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
import { modelName } from '../model.ts';
import { sendRaw } from '../raw-request.ts';

const conversationSchema = z.looseObject({ running_run_id: z.string().nullable() });

test('a mention of a file is text, in any place', patient, async ({ place, expect }) => {
  const target = await open(place);
  const mentions = [
    '@private.txt',
    '@./private.txt',
    '@/etc/passwd',
    'see @private.txt',
    '\n@private.txt',
    '`@private.txt`',
    '@"private.txt"',
    '![](private.txt)',
    'file:private.txt',
    '$own',
    '#private.txt',
  ];
  for (const mention of mentions) {
    const { text } = await say(target, mention, {
      tokens: { own: mention },
      executor: { ...executor, name: mention },
    });
    expect([mention, text.includes(secret), text.includes('Understood.')]).toEqual([mention, false, true]);
  }
  expect([target.sent().includes(secret), target.sent().includes('root:x:')]).toEqual([false, false]);
});

test('a command in any field but the message is text, or refused', patient, async ({ place, expect }) => {
  const target = await open(place);
  const typed = '/Bash "touch pwned; cat private.txt"';
  const answers = [
    await say(target, 'hello', {
      executor: { ...executor, name: typed, user_id: typed, email: typed, employee_id: typed },
    }),
    await say(target, 'hello', { tokens: { [typed]: typed } }),
    await say(target, 'hello', { preferred_skills: [typed] }),
    await say(target, 'hello', { on_disconnect: typed }),
    await say(target, 'hello', {
      command: typed,
      does: 'tool',
      kind: 'tool',
      tool: 'Bash',
      input: { command: typed },
    }),
    await review(target, { focus: [typed] }),
    await review(target, { language: typed }),
    await review(target, { include: [typed], exclude: [typed] }),
    await review(target, { input: { diff: `${smallDiff}${typed}\n` } }),
    await review(target, { input: { diff: typed } }),
    await review(target, { fail_on: typed }),
    await post(target, `${guest}/${encodeURIComponent(typed)}/stream`, { user_input: 'hello', executor }),
  ];
  expect(answers.map(({ text }) => text).filter((text) => text.includes(secret))).toEqual([]);
  expect([isTouched(target), target.sent().includes(secret)]).toEqual([false, false]);
});

test(
  'a skill is a name; none leads to a file, and a guest cannot use those of the repository',
  patient,
  async ({ place, expect }) => {
    const target = await open(place);
    const names = [
      'own',
      '../own',
      '../skills/own',
      'skills/own',
      './own',
      '/etc',
      '..',
      '.',
      '',
      'own/',
      'own\0',
      '%2e%2e',
      'OWN',
      'own/SKILL.md',
      '../../../etc',
      '~',
      '$HOME',
      '__proto__',
      'constructor',
      'a'.repeat(100_000),
    ];
    for (const name of names) {
      for (const text of ['hello', '/review', '/run do it']) {
        const said = await say(target, text, { preferred_skills: [name] });
        expect([
          name.slice(0, 20),
          said.text.includes(secret),
          said.text.includes('"status":"success"'),
        ]).toEqual([name.slice(0, 20), false, false]);
      }
    }
    expect(target.sent()).not.toContain(secret);
  },
);

test(
  'a script, a folder or an address is not accepted as an agent in any field',
  patient,
  async ({ place, expect }) => {
    const target = await open(place);
    const script = place.write(
      'mine.yaml',
      stringify({
        agent: { name: 'x' },
        call_log: 'pwned',
        turns: [{ answer_file: 'private.txt', repeat: 'forever' }],
      }),
    );
    const names = [
      `rehearsal:${script}`,
      'rehearsal:mine.yaml',
      'Rehearsal:mine.yaml',
      'rehearsal%3Amine.yaml',
      'rehearsal:\tmine.yaml',
      `${modelName} --advisor rehearsal:mine.yaml`,
      'auto\nrehearsal:mine.yaml',
      '--advisor=rehearsal:mine.yaml',
      './mine',
      'file:///etc',
      'anthropic:http://collector.example.org',
      'anthropic:../../x',
      'claude_code',
      'gemini',
      'codex:x',
    ];
    for (const name of names) {
      for (const field of ['advisor', 'lead'] as const) {
        const asked = await review(target, { [field]: name });
        expect([name, field, asked.status, asked.text.includes(secret)]).toEqual([name, field, 403, false]);
      }
      const typed = await say(target, `/review --advisor='${name}' --lead="${name}"`);
      expect([name, typed.text.includes('"status":"error"'), typed.text.includes(secret)]).toEqual([
        name,
        true,
        false,
      ]);
      for (const fields of [
        { language: `${name}.` },
        { provider: name },
        { model: name },
        { agents: [name] },
        { config: name },
        { skill: name },
        { providers: { codex: { path: name } } },
        { reports: [{ format: 'json', file: 'pwned' }] },
      ]) {
        expect([name, fields, (await review(target, fields)).status >= 400]).toEqual([name, fields, true]);
      }
    }
    expect([isTouched(target), target.sent().includes(secret)]).toEqual([false, false]);
  },
);

test(
  'prototype keys, repeated keys and values of a wrong type give nothing',
  patient,
  async ({ place, expect }) => {
    const target = await open(place);
    const diff = JSON.stringify(smallDiff);
    const bodies = [
      `{"__proto__":{"kind":"run","task":"x"},"kind":"review","input":{"diff":${diff}},"advisor":"rehearsal:x"}`,
      `{"kind":"review","kind":"run","task":"touch pwned","input":{"diff":${diff}}}`,
      `{"kind":"review","input":{"diff":${diff}},"advisor":"static_review","advisor":"rehearsal:x"}`,
      `{"kind":"review","input":{"diff":${diff},"range":"HEAD~1..HEAD"}}`,
      `{"kind":"review","input":{"diff":${diff},"__proto__":{"range":"HEAD"}},"constructor":{"prototype":{"speaker":"owner"}},"lead":"claude_code"}`,
      `{"kind":"review","input":{"range":"--output=pwned"}}`,
      `{"kind":"review","input":{"base":"--upload-pack=touch pwned"}}`,
      `{"kind":"review","input":{"commit":"HEAD --output=pwned"}}`,
      `{"kind":"review","input":{"file":"private.txt"}}`,
      `{"kind":"review","input":"private.txt"}`,
      `{"kind":["review"],"input":{"diff":${diff}}}`,
      `{"kind":"consult","phase":"design","brief":"private.txt"}`,
      `{"kind":"turn","text":"/Bash id"}`,
      `{"kind":"review","input":{"diff":${diff}},"speaker":{"kind":"owner"},"tenant":"local","grants":["run","tool:Bash"]}`,
      `[${'['.repeat(50_000)}${']'.repeat(50_000)}]`,
      `{"kind":"review","input":{"diff":${diff}},"budget_calls":1e308}`,
      `{"kind":"review","input":{"diff":${diff}},"concurrency":-1}`,
    ];
    for (const body of bodies) {
      const { status, text } = await post(target, `${guest}/p/runs`, body);
      expect([body.slice(0, 120), status >= 400 && status < 500, text.includes(secret)]).toEqual([
        body.slice(0, 120),
        true,
        false,
      ]);
    }
    expect([isTouched(target), (await sendRaw(target.served.url, '/api/health')).status]).toEqual([
      false,
      200,
    ]);
  },
);

/** Names of the tenant `other` that are not its name. */
const disguised = (name: string): readonly string[] => [
  name,
  name.toUpperCase(),
  `${name}.`,
  `${name}%20`,
  `%20${name}`,
  `${name}%00`,
  `${name}/`,
  `${name}%2f`,
  `${name};x`,
  `${name}%3fx`,
  `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
  `%25${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
  `acme%2f..%2f${name}`,
  `acme/../${name}`,
  `acme%252f..%252f${name}`,
  `%2e%2e%2f${name}`,
  `./${name}`,
  `..;/${name}`,
  encodeURIComponent(`${name}\u200b`),
  encodeURIComponent(
    Array.from(name, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)).join(''),
  ),
  `${name}%c0%af`,
  'x'.repeat(5_000),
];

test(
  'with its own token a tenant reaches nothing of another, by any route and any spelling',
  patient,
  async ({ place, expect }) => {
    const target = await open(place, ['--require-token']);
    const { url } = target.served;
    const [acme, other] = [await target.token('acme'), await target.token('other')];
    const theirs = '/api/tenants/other/conversations';
    const body = { user_input: 'the words 4711 of other', executor };
    const said = await post(target, `${theirs}/first/stream`, body, other.headers);
    const begun = await post(
      target,
      `${theirs}/second/runs`,
      { kind: 'review', input: { diff: smallDiff.replace('total.ts', '4711.ts') } },
      other.headers,
    );
    const { run_id: run } = begunSchema.parse(JSON.parse(begun.text));
    const [turn = 'none'] = /\d{8}-\d{6}-\w+/.exec(said.text) ?? [];
    const events = await sendRaw(url, `${theirs}/second/runs/${run}/events`, { headers: other.headers });
    const [digest = 'none'] = /[0-9a-f]{64}/.exec(events.text) ?? [];
    expect((await sendRaw(url, `${theirs}/first`, { headers: other.headers })).text).toContain('4711');
    const routes = [
      ['GET', ''],
      ['GET', '/first'],
      ['GET', '/first/stream'],
      ['POST', '/first/stream'],
      ['POST', '/first/cancel'],
      ['GET', '/second/runs'],
      ['POST', '/second/runs'],
      ['GET', `/second/runs/${run}`],
      ['GET', `/second/runs/${run}/diff`],
      ['GET', `/second/runs/${run}/events`],
      ['GET', `/second/runs/${run}/blobs/${digest}`],
      ['POST', `/second/runs/${run}/answers/x/y`],
      ['POST', `/second/runs/${run}/cancel`],
    ] as const;
    const problems: unknown[] = [];
    const look = async (method: string, path: string, headers: Readonly<Record<string, string>>) => {
      const bodyText = method === 'POST' ? { body: JSON.stringify(body) } : {};
      const { status, text } = await sendRaw(url, path, {
        method,
        headers: { ...json, ...headers },
        ...bodyText,
      });
      if (status < 400 || status >= 500 || text.includes('4711')) problems.push([method, path, status]);
    };
    for (const tenant of disguised('other')) {
      for (const [method, rest] of routes)
        await look(method, `/api/tenants/${tenant}/conversations${rest}`, acme.headers);
    }
    for (const tenant of ['local', 'LOCAL', '%6cocal']) {
      for (const [method, rest] of routes)
        await look(method, `/api/tenants/${tenant}/conversations${rest}`, acme.headers);
    }
    expect(problems).toEqual([]);
    // Within the guest's own tenant, the ids of the other tenant match nothing: the run, the turn, the attachment, the
    // place in a stream.
    const own = `${guest}/first`;
    await post(target, `${own}/stream`, { user_input: 'hello', executor }, acme.headers);
    for (const id of [run, turn, ...disguised(run)]) {
      for (const rest of ['', '/diff', '/events', `/blobs/${digest}`])
        await look('GET', `${own}/runs/${id}${rest}`, acme.headers);
      await look('POST', `${own}/runs/${id}/cancel`, acme.headers);
    }
    for (const last of [
      `${turn}:0`,
      `${run}:0`,
      `../${turn}:0`,
      `${turn}:-1`,
      `${turn}:1e9`,
      '0:0',
      'x'.repeat(9_000),
    ]) {
      await look('GET', `${own}/stream`, { ...acme.headers, 'last-event-id': last });
      await look('GET', `${own}/stream?after=${encodeURIComponent(last)}`, acme.headers);
    }
    expect(problems).toEqual([]);
    expect(isTouched(target)).toBe(false);
  },
);

test('an invalid token opens nothing, wherever it is sent', patient, async ({ place, expect }) => {
  const target = await open(place, ['--require-token']);
  const { url } = target.served;
  const { headers, id } = await target.token('acme');
  const bearer = headers['authorization'] ?? '';
  const bare = bearer.slice('Bearer '.length);
  const session = await post(target, '/api/session', { token: bare }, { origin: url });
  const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
  const inCookie = cookie.slice(cookie.indexOf('=') + 1);
  const refused: readonly Readonly<Record<string, string>>[] = [
    {},
    { authorization: bare },
    { authorization: `Basic ${bare}` },
    { authorization: `Bearer ${inCookie}` },
    { authorization: `Bearer ${id}` },
    { authorization: `Bearer ${bare}x` },
    { authorization: `Bearer ${bare.slice(0, -1)}` },
    { authorization: `Bearer ${bare.toUpperCase()}` },
    { authorization: `Bearer ../${bare}` },
    { authorization: `Bearer ${bare} ${bare}` },
    { authorization: 'Bearer collab_token_aaaaaaaaaa_' },
    { 'x-api-key': bare },
    { 'x-forwarded-user': 'acme', 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' },
    { cookie: `${cookie.split('=')[0]}=${bare}` },
    { cookie: `collab=${inCookie}` },
    { 'proxy-authorization': bearer },
  ];
  for (const sent of refused) {
    const { status } = await sendRaw(url, guest, { headers: sent });
    expect([sent, status]).toEqual([sent, 401]);
  }
  const queries = ['token', 'access_token', 'authorization', 'key'].map((name) => `${guest}?${name}=${bare}`);
  for (const path of queries) expect([path, (await sendRaw(url, path)).status]).toEqual([path, 401]);
  expect((await sendRaw(url, guest, { headers })).status).toBe(200);
  expect((await sendRaw(url, guest, { headers: { cookie } })).status).toBe(200);
  // The cookie changes something only for a page of the server itself.
  for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', `${url}.evil.example`]) {
    const { status } = await post(
      target,
      `${guest}/x/runs`,
      { kind: 'review', input: { diff: smallDiff } },
      { cookie, origin },
    );
    expect([origin, status]).toEqual([origin, 403]);
  }
});

test(
  'a page of another site, and a host name that points here, get nothing',
  patient,
  async ({ place, expect }) => {
    const target = await open(place);
    const { url } = target.served;
    const { host, port } = new URL(url);
    const hosts = [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil.example',
      'evil.example#localhost',
      'xn--lcalhost-5ve',
      ' ',
      '[::ffff:evil]',
      'localhost,evil.example',
    ];
    for (const name of hosts) {
      const { status } = await sendRaw(url, guest, { headers: { host: name } });
      expect([name, status >= 400]).toEqual([name, true]);
    }
    const origins = [
      'http://evil.example',
      'https://evil.example',
      'null',
      `http://evil.example:${port}`,
      `http://localhost:${port}`,
      `http://127.0.0.1:${Number(port) + 1}`,
      `http://${host}.evil.example`,
      `http://user@${host}`,
      `http://evil.example/${host}`,
      'file://',
      'chrome-extension://abc',
      ' ',
    ];
    for (const origin of origins.filter((one) => one !== `http://user@${host}`)) {
      for (const [method, path] of [
        ['GET', guest],
        ['POST', `${guest}/x/stream`],
        ['POST', `${guest}/x/runs`],
        ['OPTIONS', guest],
      ] as const) {
        const { status, headers } = await sendRaw(url, path, {
          method,
          headers: { ...json, origin, host },
          ...(method === 'POST' ? { body: '{}' } : {}),
        });
        expect([origin, method, status >= 400, headers['access-control-allow-origin']]).toEqual([
          origin,
          method,
          true,
          undefined,
        ]);
      }
    }
    const forwarded = {
      'x-forwarded-host': 'localhost',
      'x-original-url': '/api/health',
      'x-http-method-override': 'GET',
      forwarded: 'host=localhost',
    };
    expect((await sendRaw(url, guest, { headers: { host: 'evil.example', ...forwarded } })).status).toBe(403);
    const absolute = await sendRaw(url, `http://localhost${guest}`, { headers: { host: 'evil.example' } });
    expect(absolute.status).toBe(403);
  },
);

test(
  'two parallel guests in conversations of one name each see only their own',
  patient,
  async ({ place, expect }) => {
    const target = await open(place);
    target.upstream.play(({ lastInput }) => ({
      text: `Heard ${/word-\w+/.exec(lastInput)?.[0] ?? 'nothing'}.`,
    }));
    const tenants = Array.from({ length: 8 }, (_, index) => `guest${index}`);
    const answers = await Promise.all(
      tenants.map((tenant) =>
        post(target, `/api/tenants/${tenant}/conversations/same/stream`, {
          user_input: `word-${tenant}`,
          executor,
        }),
      ),
    );
    const heard = answers.map(({ text }) => [...new Set(text.match(/word-\w+/g))]);
    expect(heard).toEqual(tenants.map((tenant) => [`word-${tenant}`]));
    const threads = await Promise.all(
      tenants.map((tenant) => sendRaw(target.served.url, `/api/tenants/${tenant}/conversations/same`)),
    );
    expect(threads.map(({ text }) => [...new Set(text.match(/word-\w+/g))])).toEqual(heard);
  },
);

test('no response to a guest names a path of the machine', patient, async ({ place, expect }) => {
  const target = await open(place);
  const { url } = target.served;
  const form = new FormData();
  form.append('request_data', JSON.stringify({ user_input: 'hello', executor }));
  form.append('files', new File(['words'], 'a.txt', { type: 'text/plain' }));
  const turn = await (await fetch(`${url}${guest}/talk/stream`, { method: 'POST', body: form })).text();
  target.upstream.play(() => ({ text: wholeAnswer }));
  const begun = await post(target, `${guest}/look/runs`, { kind: 'review', input: { diff: smallDiff } });
  const { run_id: run } = begunSchema.parse(JSON.parse(begun.text));
  const [turnRun = 'none'] = /\d{8}-\d{6}-\w+/.exec(turn) ?? [];
  const paths = [
    '/api/health',
    '/openapi.json',
    guest,
    `${guest}/talk`,
    `${guest}/talk/stream`,
    `${guest}/talk/runs`,
    `${guest}/talk/runs/${turnRun}`,
    `${guest}/talk/runs/${turnRun}/events`,
    `${guest}/look`,
    `${guest}/look/runs/${run}/events`,
    `${guest}/look/runs/${run}`,
    `${guest}/look/runs/${run}/diff`,
    `${guest}/look/stream`,
    `${guest}/none`,
  ];
  const refused = [
    await say(target, '/Read private.txt'),
    await say(target, '/review --report json=x'),
    await say(target, '/review --lead nobody'),
    await review(target, { lead: 'claude_code' }),
    await review(target, { input: { diff: 'no diff at all' } }),
    await review(target, { input: { diff: '' } }),
    await say(target, '/consult design x'),
  ].map(({ text }) => text);
  const texts = [turn, ...refused];
  for (const path of paths) texts.push((await sendRaw(url, path)).text);
  const events = texts.join('\n');
  for (const [digest] of events.matchAll(/\b[0-9a-f]{64}\b/g)) {
    texts.push((await sendRaw(url, `${guest}/look/runs/${run}/blobs/${digest}`)).text);
  }
  expect(events).toContain('run.started');
  const root = join(place.folder, '..');
  const named = (text: string) => text.match(new RegExp(`.{0,80}${root}.{0,80}`, 'g')) ?? [];
  expect(texts.flatMap(named)).toEqual([]);
  expect(named(target.sent())).toEqual([]);
});

test('revoking a token ends its runs and its streams, and no others', patient, async ({ place, expect }) => {
  const target = await open(place, ['--require-token']);
  const { url } = target.served;
  const [acme, second, other] = [
    await target.token('acme'),
    await target.token('acme'),
    await target.token('other'),
  ];
  target.upstream.play(() => ({ hang: 'headers' }));
  const body = { user_input: 'hello', executor };
  const asked = target.upstream.requests.length;
  const streams = [
    post(target, `${guest}/first/stream`, body, acme.headers),
    post(target, `${guest}/kept/stream`, body, second.headers),
    post(target, '/api/tenants/other/conversations/kept/stream', body, other.headers),
  ] as const;
  await target.upstream.untilRequests(asked + 3);
  const begun = await post(
    target,
    `${guest}/look/runs`,
    { kind: 'review', input: { diff: smallDiff } },
    acme.headers,
  );
  const { run_id: run } = begunSchema.parse(JSON.parse(begun.text));
  // A reader with the other token of the tenant continues to read.
  const reader = sendRaw(url, `${guest}/look/runs/${run}/events`, { headers: second.headers });
  const events = sendRaw(url, `${guest}/look/runs/${run}/events`, { headers: acme.headers });
  await target.upstream.untilRequests(asked + 4);
  await target.revoke(acme.id);
  expect((await streams[0]).status).toBe(200);
  await events;
  // The record that ends it reaches the reader that may still read.
  expect((await reader).text).toContain('"status":"cancelled"');
  const after = await sendRaw(url, `${guest}/look/runs/${run}`, { headers: second.headers });
  expect(JSON.parse(after.text)).toMatchObject({ state: 'ended', status: 'cancelled' });
  expect((await sendRaw(url, guest, { headers: acme.headers })).status).toBe(401);
  const going = async (path: string, headers: Record<string, string>) =>
    conversationSchema.parse(JSON.parse((await sendRaw(url, path, { headers })).text));
  expect((await going(`${guest}/kept`, second.headers)).running_run_id).not.toBeNull();
  expect((await going('/api/tenants/other/conversations/kept', other.headers)).running_run_id).not.toBeNull();
  expect((await going(`${guest}/first`, second.headers)).running_run_id).toBeNull();
  await target.revoke(second.id);
  await target.revoke(other.id);
  await Promise.all(streams);
  await expect.poll(() => target.upstream.openTurns()).toBe(0);
});

test(
  'a run whose token was revoked while no server ran is not continued',
  patient,
  async ({ place, expect }) => {
    const target = await open(place, ['--require-token']);
    const [acme, second] = [await target.token('acme'), await target.token('acme')];
    target.upstream.play(() => ({ hang: 'headers' }));
    const runs: string[] = [];
    for (const [name, { headers }] of [
      ['ended', acme],
      ['kept', second],
    ] as const) {
      const begun = await post(
        target,
        `${guest}/${name}/runs`,
        { kind: 'review', input: { diff: smallDiff } },
        headers,
      );
      runs.push(begunSchema.parse(JSON.parse(begun.text)).run_id);
    }
    await target.upstream.untilRequests(2);
    await target.served.kill();
    await target.revoke(acme.id);
    const asked = target.upstream.requests.length;
    target.upstream.play(() => ({ text: wholeAnswer }));
    await target.served.start();
    const [ended, kept] = await Promise.all(
      [`ended/runs/${runs[0]}`, `kept/runs/${runs[1]}`].map(async (path) => {
        await sendRaw(target.served.url, `${guest}/${path}/events`, { headers: second.headers });
        const { text } = await sendRaw(target.served.url, `${guest}/${path}`, { headers: second.headers });
        return z.looseObject({}).parse(JSON.parse(text));
      }),
    );
    expect(ended).toMatchObject({ state: 'ended', status: 'cancelled' });
    expect(kept).toMatchObject({ state: 'ended', status: 'success' });
    expect(target.upstream.requests.length).toBe(asked + 1);
  },
);
