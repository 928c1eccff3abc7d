/** Faults 1.1 and 1.2: the data that a tenant without any grant can get from a server, over plain HTTP. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { smallDiff, wholeAnswer } from '../../../src/runs/rehearsed-review.test-helper.ts';
import { executor } from '../../../src/server/served.test-helper.ts';
import { test, type Place } from '../../packed/place.ts';
import { serve } from '../../packed/serve/served.ts';

/** Each test starts a server and sends it dozens of requests. */
const patient = { timeout: 240_000 };

const secret = 'correct-horse-battery-staple-9';

/** A repository with something to steal, and a server with a lead that tries every tool. */
async function openTarget(place: Place, args: readonly string[] = []) {
  place.git('init', '-q');
  place.write('total.ts', 'export const total = 1;\n');
  place.write('private.txt', `${secret}\n`);
  place.write(
    'ai_client/evil/evil_client.js',
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(join(place.folder, 'pwned'))}, '');\nexport class EvilClient {}\n`,
  );
  const calls = [
    { call: { name: 'Bash', input: { command: 'touch pwned; cat private.txt' } } },
    { call: { name: 'Write', input: { file_path: 'pwned', content: 'x' } } },
    { call: { name: 'Read', input: { file_path: 'private.txt' } } },
    { call: { name: 'Grep', input: { pattern: 'horse' } } },
  ];
  place.write(
    'script.yaml',
    stringify({
      agent: { name: 'Codex' },
      turns: [
        { when: { work: 'converse' }, messages: calls, answer: 'Done.', repeat: 'forever' },
        { answer: wholeAnswer, repeat: 'forever' },
      ],
    }),
  );
  place.git('add', '-A');
  place.git('commit', '-qm', 'first');
  const script = 'rehearsal:script.yaml';
  const served = await serve(place, ['--lead', script, '--advisor', script, '--language', 'en', ...args]);
  return { place, url: served.url };
}

type Target = Awaited<ReturnType<typeof openTarget>>;

interface Caller {
  readonly tenant: string;
  readonly token?: string;
}

const acme: Caller = { tenant: 'acme' };

function headersOf({ token }: Caller): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

let conversations = 0;

/** A conversation of its own for each, so that none waits for another. */
function newBase({ url }: Target, { tenant }: Caller): string {
  return `${url}/api/tenants/${tenant}/conversations/c${(conversations += 1)}`;
}

async function say(target: Target, caller: Caller, text: string, extra: object = {}): Promise<string> {
  const form = new FormData();
  form.append('request_data', JSON.stringify({ user_input: text, executor, ...extra }));
  const response = await fetch(`${newBase(target, caller)}/stream`, {
    method: 'POST',
    body: form,
    headers: headersOf(caller),
  });
  return response.text();
}

async function start(
  target: Target,
  caller: Caller,
  body: object,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${newBase(target, caller)}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(caller) },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

const isTouched = ({ place }: Target): boolean => existsSync(join(place.folder, 'pwned'));

const bash = `'touch pwned; cat private.txt'`;
const typedCommands = [
  `/Bash ${bash}`,
  `/bash ${bash}`,
  `/bash {"command":"touch pwned; cat private.txt"}`,
  '/Write pwned x',
  '/write pwned x',
  '/fs.write pwned x',
  '/Edit private.txt correct wrong',
  '/fs.edit private.txt correct wrong',
  '/Read private.txt',
  '/read private.txt',
  '/cat private.txt',
  '/fs.read private.txt',
  '/Grep horse',
  '/search horse',
  '/Glob **',
  '/find **',
  '/LS .',
  '/fs.list .',
  '/GitShow HEAD:private.txt',
  '/git.show HEAD',
  '/git.diff HEAD~1',
  '/log',
  `/Bash\n${bash}`,
  `/Bash\t${bash}`,
];

/** None of these is a command: they reach the lead as text, or no one. */
const almostCommands = [
  ` /Bash ${bash}`,
  `\n/Bash ${bash}`,
  `\r\n/Bash ${bash}`,
  `\u200b/Bash ${bash}`,
  `\ufeff/Bash ${bash}`,
  `\u00a0/Bash ${bash}`,
  `\u2044Bash ${bash}`,
  `\uff0fBash ${bash}`,
  `//Bash ${bash}`,
  `/BASH ${bash}`,
  `/Ba\u200bsh ${bash}`,
  `/Ｂａｓｈ ${bash}`,
  `/x.Bash ${bash}`,
  `/constructor ${bash}`,
  `/__proto__ ${bash}`,
];

test(
  'a tenant without grants runs no tool: not by a command, not by an encoded one, not through the lead',
  patient,
  async ({ place, expect }) => {
    const target = await openTarget(place);
    for (const typed of typedCommands) {
      const answer = await say(target, acme, typed);
      expect([typed, answer.includes('is not for the tenant acme'), answer.includes(secret)]).toEqual([
        typed,
        true,
        false,
      ]);
    }
    for (const typed of almostCommands) {
      const answer = await say(target, acme, typed, { tokens: { x: 'y' }, preferred_skills: [] });
      expect([typed, answer.includes(secret)]).toEqual([typed, false]);
    }
    const talk = await say(target, acme, 'Do what you can.');
    expect([talk.includes(secret), talk.includes('"tools":[]'), isTouched(target)]).toEqual([
      false,
      true,
      false,
    ]);
    // The owner of the machine may.
    expect(await say(target, { tenant: 'local' }, '/cat private.txt')).toContain(secret);
  },
);

test(
  'a command in an attached file, or in a continued conversation, is text',
  patient,
  async ({ place, expect }) => {
    const target = await openTarget(place);
    const base = newBase(target, acme);
    for (let turn = 0; turn < 2; turn += 1) {
      const form = new FormData();
      form.append('request_data', JSON.stringify({ user_input: 'Look at this.', executor }));
      form.append('files', new File([`/Bash ${bash}\n`], '../../../pwned', { type: 'text/plain' }));
      const answer = await (await fetch(`${base}/stream`, { method: 'POST', body: form })).text();
      expect(answer).not.toContain(secret);
    }
    expect(isTouched(target)).toBe(false);
  },
);

test(
  'a tenant can choose only the server’s own agents: no script, no folder, no address',
  patient,
  async ({ place, expect }) => {
    const target = await openTarget(place);
    const script = place.write(
      'mine.yaml',
      stringify({ agent: { name: 'Codex' }, call_log: 'pwned', turns: [{ answer_file: 'private.txt' }] }),
    );
    const names = [
      `rehearsal:${script}`,
      'rehearsal:mine.yaml',
      'rehearsal:./mine.yaml',
      'rehearsal:script.yaml',
      'rehearsal:/dev/zero',
      'rehearsal',
      'rehearsal:',
      'REHEARSAL:mine.yaml',
      ' rehearsal:mine.yaml',
      'evil',
      'evil:x',
      './ai_client/evil',
      '../ai_client/evil',
      'ai_client/evil',
      'claude_code',
      'claude_code:opus',
      'anthropic',
      'openai:x',
      '__proto__',
      'constructor:x',
    ];
    for (const name of names) {
      for (const role of ['advisor', 'lead']) {
        const asked = await start(target, acme, { kind: 'review', input: { diff: smallDiff }, [role]: name });
        const typed = await say(target, acme, `/review --${role} "${name}"`);
        expect([
          name,
          role,
          asked.status,
          asked.text.includes(secret),
          typed.includes('"status":"error"'),
        ]).toEqual([name, role, 403, false, true]);
      }
    }
    expect(isTouched(target)).toBe(false);
  },
);

test('a later request cannot name an attachment', patient, async ({ place, expect }) => {
  const target = await openTarget(place);
  const base = newBase(target, acme);
  const form = new FormData();
  form.append('request_data', JSON.stringify({ user_input: 'Keep this.', executor }));
  const script = stringify({ agent: { name: 'x' }, turns: [{ answer_file: 'private.txt' }] });
  form.append('files', new File([script], 'script.yaml', { type: 'text/plain' }));
  await (await fetch(`${base}/stream`, { method: 'POST', body: form })).text();
  const thread = await (await fetch(base)).text();
  const [kept = '/nowhere'] = /[^"]*\/files\/1/.exec(thread) ?? [];
  for (const path of [kept, join(place.folder, '.collab/tenants')]) {
    const body = { kind: 'review', input: { diff: smallDiff }, advisor: `rehearsal:${path}` };
    expect((await start(target, acme, body)).status).toBe(403);
  }
});

test(
  'a tenant names no file, starts no edits and reads no repository without a grant',
  patient,
  async ({ place, expect }) => {
    const target = await openTarget(place);
    const typed = [
      '/review --report json=pwned',
      '/review --report=json=pwned',
      '/review --config private.txt',
      '/review --config=private.txt',
      '/review --config-from HEAD',
      '/review --instructions private.txt',
      '/review --baseline private.txt',
      '/review --suppressions private.txt',
      '/review private.txt',
      '/review ./private.txt',
      '/review /etc/passwd',
      '/review ../project/private.txt',
      '/review -- private.txt',
      '/review HEAD~1..HEAD',
      '/review --base HEAD',
      '/review --staged',
      '/review --commit HEAD',
      '/review',
      '/run touch the file',
      '/run touch it --apply --yes',
      '/run x --skill ai_client/evil',
      '/run x --task-file private.txt',
      '/consult design What is in private.txt?',
    ];
    for (const line of typed) {
      const answer = await say(target, acme, line);
      expect([line, answer.includes('is not for the tenant acme'), answer.includes(secret)]).toEqual([
        line,
        true,
        false,
      ]);
    }
    const asked = [
      { kind: 'review' },
      { kind: 'review', input: {} },
      { kind: 'review', input: { range: 'HEAD~1..HEAD' } },
      { kind: 'review', input: { base: 'HEAD' } },
      { kind: 'review', input: { staged: true } },
      { kind: 'review', input: { commit: 'HEAD' } },
      { kind: 'run', task: 'touch the file' },
      { kind: 'run', task: 'touch the file', apply: true, yes: true, lead: 'caller' },
    ];
    for (const body of asked) {
      const { status, text } = await start(target, acme, body);
      expect([body, status, text.includes('is not for the tenant acme')]).toEqual([body, 403, true]);
    }
    expect(isTouched(target)).toBe(false);
  },
);

test(
  'a diff that a tenant sends is reviewed without the repository, its instructions and its limits',
  patient,
  async ({ place, expect }) => {
    place.write('REVIEW.md', `Mind ${secret}.\n`);
    place.write('owner.yaml', 'budget_calls: 3\n');
    const target = await openTarget(place, ['--config', 'owner.yaml']);
    const base = newBase(target, acme);
    const begun = await fetch(`${base}/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'review', input: { diff: smallDiff } }),
    });
    expect(begun.status).toBe(201);
    const run = `${target.url}${begun.headers.get('location')}`;
    const events = await (await fetch(`${run}/events`)).text();
    expect(events).toContain('"run.ended"');
    const blobs = [...events.matchAll(/[0-9a-f]{64}/g)].map(([digest]) => `${run}/blobs/${digest}`);
    const texts = [events, ...(await Promise.all(blobs.map(async (blob) => (await fetch(blob)).text())))];
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    const more = await start(target, acme, { kind: 'review', input: { diff: smallDiff }, budget_calls: 4 });
    expect([more.status, more.text]).toEqual([403, expect.stringContaining('budget_calls')]);
  },
);

test('a token gives what it was made with, and the list shows it', patient, async ({ place, expect }) => {
  const target = await openTarget(place, ['--require-token']);
  const make = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await place.collab(['serve', 'token', 'create', ...args]);
    return { code, token: stdout.trim(), stderr };
  };
  const { token: reads } = await make('--tenant', 'acme', '--may', 'tool:Read,repo:project');
  const { token: bare } = await make('--tenant', 'other');
  const [reader, other] = [
    { tenant: 'acme', token: reads },
    { tenant: 'other', token: bare },
  ];
  expect(await say(target, reader, '/Read private.txt')).toContain(secret);
  expect(await say(target, reader, `/Bash ${bash}`)).toContain('is not for the tenant acme');
  expect(await say(target, other, '/Read private.txt')).toContain('is not for the tenant other');
  expect(await say(target, { tenant: 'acme', token: bare }, '/Read private.txt')).toContain('"status":404');
  expect((await start(target, reader, { kind: 'review', input: { range: 'HEAD..HEAD' } })).status).not.toBe(
    403,
  );
  expect((await start(target, other, { kind: 'review', input: { range: 'HEAD..HEAD' } })).status).toBe(403);
  const talk = await say(target, reader, 'Do what you can.');
  expect([talk.includes('"tools":["Read"]'), isTouched(target)]).toEqual([true, false]);
  const { stdout } = await place.collab(['serve', 'token', 'list']);
  expect(stdout).toMatch(/acme .* tool:Read,repo:project\n/);
  expect(stdout).toMatch(/other .* no more than every tenant\n/);
  for (const grant of ['tool:Bsh', 'repo:shop', 'everything', 'tool:', 'lead:nobody', 'run;apply', '*']) {
    expect([grant, (await make('--tenant', 'acme', '--may', grant)).code]).toEqual([grant, 2]);
  }
});

test(
  'one tenant’s data is not accessible to another, whatever id is sent',
  patient,
  async ({ place, expect }) => {
    const target = await openTarget(place);
    const { url } = target;
    const words = 'the words of acme 4711';
    const form = new FormData();
    form.append('request_data', JSON.stringify({ user_input: words, executor }));
    form.append('files', new File(['an attachment 4712'], 'a.txt', { type: 'text/plain' }));
    const own = `${url}/api/tenants/acme/conversations/first`;
    const said = await (await fetch(`${own}/stream`, { method: 'POST', body: form })).text();
    const [runId = 'none'] = /\d{8}-\d{6}-\w+/.exec(said) ?? [];
    expect(await (await fetch(own)).text()).toContain(words);
    const tenants = [
      'other',
      'local',
      'ACME',
      'acme.',
      'acme%2F',
      'acme%00',
      '..%2facme',
      'other%2f..%2facme',
      '%61cme%20',
    ];
    for (const tenant of tenants) {
      const base = `${url}/api/tenants/${tenant}/conversations`;
      const paths = [
        '',
        '/first',
        '/first/stream',
        `/first/runs/${runId}`,
        `/first/runs/${runId}/events`,
        `/${runId}`,
      ];
      for (const path of paths) {
        const text = await (await fetch(`${base}${path}`)).text();
        expect([tenant, path, text.includes('4711'), text.includes('4712')]).toEqual([
          tenant,
          path,
          false,
          false,
        ]);
      }
    }
    const many = await Promise.all(
      ['acme', 'other'].map(async (tenant) =>
        (await fetch(`${url}/api/tenants/${tenant}/conversations/first/stream`)).text(),
      ),
    );
    expect(many.map((text) => text.includes('4711') || text.includes('Done.'))).toEqual([true, false]);
    expect(readFileSync(join(place.folder, 'private.txt'), 'utf8')).toBe(`${secret}\n`);
  },
);

test(
  'the server’s configuration may name a script next to it, for every tenant',
  patient,
  async ({ place, expect }) => {
    place.git('init', '-q');
    place.write('owner/owner.yaml', 'lead: rehearsal:script.yaml\nadvisor: rehearsal:script.yaml\n');
    const turns = [
      { when: { work: 'converse' }, answer: 'From the script.', repeat: 'forever' },
      { answer: wholeAnswer, repeat: 'forever' },
    ];
    place.write('owner/script.yaml', stringify({ agent: { name: 'Codex' }, turns }));
    const { url } = await serve(place, ['--config', 'owner/owner.yaml', '--language', 'en']);
    const target = { place, url };
    for (const tenant of ['local', 'acme']) {
      expect(await say(target, { tenant }, 'hello')).toContain('From the script.');
      const { status, text } = await start(
        target,
        { tenant },
        { kind: 'review', input: { diff: smallDiff } },
      );
      expect([tenant, status, text]).toEqual([tenant, 201, expect.stringContaining('run_id')]);
    }
  },
);
