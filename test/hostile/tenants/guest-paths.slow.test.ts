/** No answer and no stream of a server tells a guest where something is on the machine: every route, also when files are damaged. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { smallDiff, wholeAnswer } from '../../../src/runs/rehearsed-review.test-helper.ts';
import { executor } from '../../../src/server/served.test-helper.ts';
import { test, type Place } from '../../packed/place.ts';
import { serve } from '../../packed/serve/served.ts';
import { begunSchema, json, open, post } from './guest-target.ts';
import { sendRaw, type RawAnswer } from '../raw-request.ts';

const patient = { timeout: 240_000 };

const openApiSchema = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
const madeSchema = z.looseObject({ token: z.string() });

const script = stringify({
  agent: { name: 'Codex' },
  turns: [
    { when: { work: 'converse', contains: 'fail' }, fault: 'unavailable', repeat: 'forever' },
    { when: { work: 'converse' }, answer: 'Done.', repeat: 'forever' },
    { when: { role: 'lead' }, answer: 'Done.', repeat: 'forever' },
    { answer: wholeAnswer, repeat: 'forever' },
  ],
});

/** A server whose folders all have one telling name in their paths. */
async function openTarget(place: Place) {
  const root = dirname(place.folder);
  const env = { TMPDIR: join(root, 'tmp') };
  mkdirSync(env.TMPDIR);
  place.git('init', '-q');
  place.write('total.ts', 'export const total = 1;\n');
  mkdirSync(join(root, 'plays'));
  writeFileSync(join(root, scriptPath), script);
  place.git('add', '-A');
  place.git('commit', '-qm', 'first');
  place.write('total.ts', 'export const total = 2;\n');
  const agent = `rehearsal:../${scriptPath}`;
  const served = await serve(place, ['--lead', agent, '--advisor', agent, '--language', 'en'], env);
  const tokenFor = async (tenant: string, may: readonly string[]) => {
    const args = ['serve', 'token', 'create', '--tenant', tenant, '--json', ...may];
    const { stdout } = await place.collab(args, { env });
    return { authorization: `Bearer ${madeSchema.parse(JSON.parse(stdout)).token}` };
  };
  const guests = [
    { tenant: 'bare', headers: await tokenFor('bare', []) },
    {
      tenant: 'granted',
      headers: await tokenFor('granted', ['--may', 'run,apply,tool:Read,tool:LS,tool:GitLog,repo:project']),
    },
  ];
  return { root, url: served.url, guests, telling: new RegExp(`${basename(root)}|plan-of-the-owner`) };
}

type Target = Awaited<ReturnType<typeof openTarget>>;

/** The owner's script is outside the served folder. */
const scriptPath = 'plays/plan-of-the-owner.yaml';

const messages = [
  'hello',
  'please fail',
  '/review',
  '/review --base nowhere',
  '/review --advisor codex',
  '/review --advisor rehearsal:missing.yaml',
  '/review --config x.yaml',
  '/run Do it. --yes',
  '/consult design What?',
  '/Read missing.txt',
  '/Read ../../../etc/passwd',
  '/LS missing',
  '/GitLog',
  '/Bash ls',
  '/nothing',
];

const starts: readonly object[] = [
  { kind: 'review', input: { diff: smallDiff } },
  { kind: 'review', input: { diff: 'no diff' } },
  { kind: 'review', input: {} },
  { kind: 'review', input: { range: 'nowhere..HEAD' } },
  { kind: 'review', input: { diff: smallDiff }, advisor: 'codex' },
  { kind: 'review', input: { diff: smallDiff }, lead: 'rehearsal:missing.yaml' },
  { kind: 'review', input: { diff: smallDiff }, verify: 'all' },
  { kind: 'run', task: 'Do it.', yes: true, apply: true },
  { kind: 'run', input: {} },
  {},
];

let conversations = 0;

/** Sends everything that a guest can send; returns each answer. */
async function answersOf(target: Target): Promise<readonly (readonly [what: string, RawAnswer])[]> {
  const answers: (readonly [string, RawAnswer])[] = [];
  const { paths } = openApiSchema.parse(JSON.parse((await sendRaw(target.url, '/openapi.json')).text));
  for (const { tenant, headers } of target.guests) {
    const ask = async (method: string, path: string, body?: unknown): Promise<RawAnswer> => {
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await sendRaw(target.url, path, { method, headers: { ...json, ...headers }, ...text });
      answers.push([`${tenant}: ${method} ${path} ${text.body ?? ''}`, answer]);
      return answer;
    };
    const base = () => `/api/tenants/${tenant}/conversations/c${(conversations += 1)}`;
    for (const message of messages) {
      const at = base();
      await ask('POST', `${at}/stream`, { user_input: message, executor });
      for (const path of [at, `${at}/stream`, `${at}/runs`]) await ask('GET', path);
    }
    const runs: string[] = [];
    for (const fields of starts) {
      const at = base();
      const { status, text } = await ask('POST', `${at}/runs`, fields);
      if (status === 201) runs.push(`${at}/runs/${begunSchema.parse(JSON.parse(text)).run_id}`);
    }
    for (const run of runs) {
      const { text } = await ask('GET', `${run}/events`);
      await ask('POST', `${run}/cancel`, {});
      const digests = new Set(
        Array.from(text.matchAll(/"(?:prompt_ref|value_ref)":"([0-9a-f]{64})"/g), ([, id]) => id),
      );
      for (const digest of digests) await ask('GET', `${run}/blobs/${digest}`);
      for (const end of ['', '/diff', '/events?after=3', '/blobs/x', `/blobs/${'0'.repeat(64)}`])
        await ask('GET', run + end);
      for (const end of ['/file?path=total.ts', '/file?path=src/total.ts', '/file', '/dismissals'])
        await ask('GET', run + end);
      await ask('POST', `${run}/dismissals`, { finding: 'F1', reason: 'as agreed' });
      await ask('POST', `${run}/answers/${encodeURIComponent('design/1/gate')}`, { value: 'yes' });
    }
    for (const [route, methods] of Object.entries(paths)) {
      const [conversation, , run] = (runs[0] ?? '').split('/').slice(-3);
      const path = route
        .replace('{tenant}', tenant)
        .replace('{conversation}', conversation ?? 'x')
        .replace('{run}', run ?? 'x')
        .replace('{digest}', '0'.repeat(64))
        .replace('{name}', 'x');
      for (const method of Object.keys(methods)) {
        const bodies = method === 'post' ? [{}, { user_input: '/review', executor }, 7] : [undefined];
        for (const body of bodies) await ask(method.toUpperCase(), path, body);
      }
    }
  }
  return answers;
}

function leaksIn(target: Target, answers: Awaited<ReturnType<typeof answersOf>>) {
  return answers.flatMap(([what, { text }]) => {
    const at = text.search(target.telling);
    return at < 0 ? [] : [[what, text.slice(Math.max(0, at - 80), at + 80)]];
  });
}

type Damage = (place: Place) => void;

const damages: Readonly<Record<string, Damage>> = {
  'with nothing wrong': () => {},
  'whose script is faulty': (place) =>
    writeFileSync(join(dirname(place.folder), scriptPath), 'turns:\n  - nonsense: 1\n'),
  'whose script is missing': (place) => rmSync(join(dirname(place.folder), scriptPath)),
  'whose configuration is faulty': (place) => void place.write('collab.config.yaml', 'advisor: [\n'),
  'whose files are links': (place) => {
    for (const name of ['REVIEW.md', 'collab.config.yaml']) symlinkSync('total.ts', join(place.folder, name));
  },
  'whose folder of runs is a file': (place) => {
    rmSync(join(place.folder, '.collab'), { recursive: true });
    writeFileSync(join(place.folder, '.collab'), '');
  },
  'whose tenants are a file': (place) => {
    rmSync(join(place.folder, '.collab/tenants'), { recursive: true, force: true });
    writeFileSync(join(place.folder, '.collab/tenants'), '');
  },
  'whose tenants are a link': (place) => {
    rmSync(join(place.folder, '.collab/tenants'), { recursive: true, force: true });
    symlinkSync('/nonexistent', join(place.folder, '.collab/tenants'));
  },
  'whose repository is damaged': (place) => writeFileSync(join(place.folder, '.git/HEAD'), 'x'),
  'whose temporary folder is missing': (place) =>
    rmSync(join(dirname(place.folder), 'tmp'), { recursive: true }),
};

test.for(Object.entries(damages))('a server %s', patient, async ([, damage], { place, expect }) => {
  const target = await openTarget(place);
  damage(place);
  const answers = await answersOf(target);
  expect(leaksIn(target, answers)).toEqual([]);
  expect(answers.filter(([, { status }]) => status === 200).length).toBeGreaterThan(10);
});

test('a model that writes a folder letter by letter', patient, async ({ place, expect }) => {
  const target = await open(place);
  const root = dirname(place.folder);
  const said = `It is ${place.folder}, -I${place.folder}/lib, ${root}//project`;
  target.upstream.play(() => ({ thinking: said, text: `${said}\n${said}`, pieceLength: 1 }));
  const { headers } = await target.token('acme');
  const at = '/api/tenants/acme/conversations/c';
  const stream = await post(target, `${at}/stream`, { user_input: 'Where are you?', executor }, headers);
  const get = async (path: string) => (await sendRaw(target.served.url, path, { headers })).text;
  const runId = /"run_id":"([^"]+)"/.exec(await get(`${at}/runs`))?.[1] ?? '';
  const texts = [
    stream.text,
    await get(`${at}/stream`),
    await get(`${at}/runs/${runId}/events`),
    await get(at),
  ];
  const hidden = 'It is …, -I…/lib, …';
  for (const text of texts) {
    const pieces = Array.from(
      text.matchAll(/"(?:text|content|thinking)":"((?:[^"\\]|\\.)*)"/g),
      ([, piece]) => piece,
    );
    expect(pieces.join('')).toContain(hidden);
    expect(pieces.join('')).not.toContain(basename(root));
    expect(text).not.toContain(basename(root));
  }
});

test('the owner still sees where a fault is', patient, async ({ place, expect }) => {
  const target = await openTarget(place);
  damages['whose folder of runs is a file']?.(place);
  const owner = '/api/tenants/local/conversations/c/runs';
  const { text } = await sendRaw(target.url, owner, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ kind: 'review', input: { diff: smallDiff } }),
  });
  expect(text).toContain(`${join(place.folder, '.collab')} is a file instead of a folder`);
});
