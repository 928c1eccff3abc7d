/** A tenant with a grant for a tool does not become the owner by calling the server, or by changing what the server obeys. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { executor } from '../../../src/server/served.test-helper.ts';
import { serve } from '../../packed/serve/served.ts';
import { test } from '../../packed/place.ts';
import { until } from '../../packed/started-command.ts';
import { guest, open, patient, post, type Target } from './guest-target.ts';
import { modelName } from '../model.ts';

const rules = (fetch: string) =>
  `tools:\n  policy:\n    Bash: allow\n    WebFetch: allow\n    Write: allow\n    Edit: allow\n${fetch}`;

/** Words that reach the owner's conversations, as a command that a tenant runs, by what the shell has itself. */
const callAsOwner = (url: string) =>
  `/Bash 'exec 3<>/dev/tcp/127.0.0.1/${new URL(url).port}; printf "GET /api/tenants/local/conversations HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n" >&3; read -r line <&3; echo "$line"; echo x >pwned'`;

test(
  'no command of a tenant runs on a server that requires no token, whatever its token grants',
  patient,
  async ({ place, expect }) => {
    place.write('owner.yaml', rules(''));
    const target = await open(place, ['--config', 'owner.yaml']);
    const token = await target.token('acme', '--may', 'tool:Bash,tool:Read');
    const ran = join(place.folder, 'pwned');
    for (const text of [
      callAsOwner(target.served.url),
      `/bash 'echo x >pwned'`,
      '/Bash {"command": "echo x >pwned"}',
    ]) {
      const said = await sayAs(target, text, token.headers);
      expect([text, said]).toEqual([text, expect.stringContaining('on a server that requires no token')]);
      expect(said).toContain('--require-token');
    }
    target.upstream.play(() => ({ tools: [{ name: 'Bash', input: { command: 'echo x >pwned' } }] }));
    await sayAs(target, 'Run it.', token.headers);
    expect([existsSync(ran), target.sent().includes('"name":"Bash"')]).toEqual([false, false]);
    await target.served.kill();
    await target.served.start();
    expect(target.served.stderr()).toContain(
      'this server requires no token, so it refuses tool:Bash to acme: start it with --require-token',
    );
    await target.served.kill();
    const closed = await serve(place, ['--require-token', ...flags], target.env);
    expect(closed.stderr()).not.toContain('refuses tool:Bash');
    const said = await sayAs({ ...target, served: closed }, callAsOwner(closed.url), token.headers);
    expect(said).toContain('401');
    expect(existsSync(ran)).toBe(true);
  },
);

test(
  'a turn that began on a server with required tokens runs no command when an open server continues it',
  patient,
  async ({ place, expect }) => {
    place.write('owner.yaml', rules(''));
    const target = await open(place, ['--config', 'owner.yaml', '--require-token']);
    const token = await target.token('acme', '--may', 'tool:Bash');
    target.upstream.play(() => ({ hang: 'headers' }));
    const cut = sayAs(target, 'Run it.', token.headers).catch(() => 'cut');
    await until('the request of the turn', () => target.upstream.requests.length > 0);
    await target.served.kill();
    await cut;
    const before = target.upstream.requests.length;
    const call = { tools: [{ name: 'Bash', input: { command: 'echo x >pwned' } }] };
    target.upstream.play(({ index }) => (index === before ? call : { text: 'Done.' }));
    const next = await serve(place, flags, target.env);
    await until('the continued turn', () => target.upstream.requests.length > before);
    const stream = `${next.url}${guest}/first/stream`;
    const events = await (await fetch(`${stream}?after=`, { headers: token.headers })).text();
    expect(events).toContain('There is no tool \\"Bash\\"');
    expect(existsSync(join(place.folder, 'pwned'))).toBe(false);
  },
);

test(
  'a tenant fetches nothing from this machine, even if the owner may',
  patient,
  async ({ place, expect }) => {
    place.write('owner.yaml', rules('  web_fetch: { private_addresses: true }\n'));
    const target = await open(place, ['--config', 'owner.yaml']);
    const token = await target.token('acme', '--may', 'tool:WebFetch');
    const { port } = new URL(target.served.url);
    const path = `:${port}/api/tenants/local/conversations`;
    const fetched = `/WebFetch http://127.0.0.1${path}`;
    const local = await post(target, '/api/tenants/local/conversations/own/stream', {
      user_input: fetched,
      executor,
    });
    expect(local.text).toContain('conversations');
    const hosts = ['127.0.0.1', 'localhost', 'localhost.', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]'];
    for (const host of [...hosts, '2130706433', '0x7f.1', '127.1', '127.0.0.2', '0', 'own.localhost']) {
      const said = await sayAs(target, `/WebFetch http://${host}${path}`, token.headers);
      expect([host, said.includes('can_continue'), said.includes('"running_run_id"')]).toEqual([
        host,
        false,
        false,
      ]);
      expect([host, said]).toEqual([
        host,
        expect.stringMatching(/is an address of this machine|cannot be fetched/),
      ]);
    }
  },
);

test('a tenant changes no file that the server runs or obeys', patient, async ({ place, expect }) => {
  place.write('owner.yaml', `${rules('')}providers:\n  codex: { path: tools/codex }\n`);
  place.write('tools/codex', '#!/bin/sh\n');
  place.write('ai_client/mine/mine_client.ts', '// one\n');
  place.write('notes.txt', 'one\n');
  symlinkSync('owner.yaml', join(place.folder, 'link.yaml'));
  symlinkSync('ai_client', join(place.folder, 'clients'));
  const target = await open(place, ['--config', 'owner.yaml']);
  const token = await target.token('acme', '--may', 'tool:Write,tool:Edit');
  const locked = {
    'owner.yaml': 'policy',
    './x/../owner.yaml': 'policy',
    'link.yaml': 'policy',
    'tools/codex': 'sh',
    'ai_client/mine/mine_client.ts': 'one',
    'clients/mine/mine_client.ts': 'one',
  };
  for (const [file, old] of Object.entries(locked)) {
    for (const text of [`/Write ${file} pwned`, `/Edit ${file} ${old} pwned`]) {
      expect([text, await sayAs(target, text, token.headers)]).toEqual([
        text,
        expect.stringContaining('decides what collab runs'),
      ]);
    }
    expect([file, readFileSync(join(place.folder, file), 'utf8').includes('pwned')]).toEqual([file, false]);
  }
  expect(await sayAs(target, '/Write ai_client/new/new_client.ts pwned', token.headers)).toContain(
    'decides what collab runs',
  );
  expect(existsSync(join(place.folder, 'ai_client/new'))).toBe(false);
  await sayAs(target, '/Write notes.txt changed', token.headers);
  expect(readFileSync(join(place.folder, 'notes.txt'), 'utf8')).toContain('changed');
});

const flags = ['--lead', modelName, '--advisor', modelName, '--language', 'en', '--config', 'owner.yaml'];
let conversations = 0;

async function sayAs(
  target: Target,
  text: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const name = text === 'Run it.' ? 'first' : `c${(conversations += 1)}`;
  return (await post(target, `${guest}/${name}/stream`, { user_input: text, executor }, headers)).text;
}
