/** A hostile repository, a hostile user set-up (test/agents/traps.md): nothing of it reaches the prompt or is executed. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Agent } from '../../../src/providers/contract/contract.ts';
import { inOrder } from '../../upstream/steps.ts';
import { connect } from '../../../src/providers/codex/launch/connect.ts';
import { createHostileWorld, type HostileWorld } from './hostile-setup.ts';
import { ask, codexBin, startScriptedCodex, sessionOf } from './codex-user.ts';

const { upstream, world } = await startScriptedCodex();
let agent: Agent;
let listener: Server;
let connections = 0;
let hostile: HostileWorld;

beforeAll(async () => {
  hostile = createHostileWorld(world);
  writeFileSync(join(world.reviewFolder, '.env'), 'KEY=CANARY_REVIEW_ENV\n');
  symlinkSync(join(world.home, 'outside.txt'), join(world.reviewFolder, 'link.txt'));
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  agent = await world.open({ reviewFolder: world.reviewFolder, env: hostile.env });
});

afterAll(async () => {
  listener.close();
});

test('nothing of the set-up is in a request, executed, or connected to', async () => {
  upstream.play(inOrder({ text: 'ok' }));
  const before = upstream.requests.length;
  const asked = await ask(
    agent,
    'collab asks: $hostile-skill $user-skill @AGENTS.md /review use the skill hostile-skill',
  );
  expect(asked.result).toMatchObject({ kind: 'answered', text: 'ok' });
  const sent = upstream.requests.slice(before).map(({ text }) => text);
  expect(sent).toHaveLength(1);
  expect(sent.join('\n')).not.toContain('CANARY');
  nothingHappened();
  expect(upstream.others).toEqual([]);
});

test('the traps work: without the launch profile they reach the prompt and are executed', async () => {
  const connected = await connect({
    file: join(codexBin, 'codex'),
    args: ['app-server'],
    cwd: world.repository,
    env: { ...hostile.env, CODEX_HOME: world.codexHome },
    timeoutMs: 30_000,
  });
  if (!connected.ok) throw new Error(connected.message);
  const { rpc } = connected.connection;
  upstream.play(inOrder({ text: 'ok' }));
  const before = upstream.requests.length;
  const started = await rpc.call(
    'thread/start',
    { cwd: world.repository },
    z.looseObject({ thread: z.looseObject({ id: z.string() }) }),
  );
  if (!started.ok) throw new Error(started.message);
  const input = [{ type: 'text', text: 'collab asks: $user-skill', text_elements: [] }];
  await rpc.call('turn/start', { threadId: started.value.thread.id, input }, z.unknown());
  await upstream.untilRequests(before + 1);
  await expect.poll(() => readdirSync(hostile.traces), { timeout: 20_000 }).toContain('user_mcp');
  await connected.connection.stop();
  const canaries = new Set(upstream.requests.at(-1)?.text.match(/CANARY_\w+/g));
  expect([...canaries]).toEqual(
    expect.arrayContaining(['CANARY_REPO_AGENTS', 'CANARY_USER_AGENTS', 'CANARY_USER_SKILL']),
  );
  rmSync(hostile.traces, { recursive: true });
  mkdirSync(hostile.traces);
});

const reads = [
  ['its own copy of the change', 'cat REVIEW/total.ts', /total = 1/],
  ['a file of the home', 'cat HOME/outside.txt', /No such file/],
  ['the login', 'cat HOME/.codex/auth.json', /No such file/],
  ['the linked login', 'cat STATE/codex/auth.json', /No such file|Permission denied/],
  ['a .env that lies in the copy', 'cat REVIEW/.env', /Permission denied/],
  ['a link out of the copy', 'cat REVIEW/link.txt', /No such file/],
  ['the repository itself', 'cat REPOSITORY/AGENTS.md', /No such file/],
  ['the environment', 'env; cat /proc/*/environ', /CODEX_SANDBOX_NETWORK_DISABLED=1/],
  ['a write into the copy', 'echo CANARY > REVIEW/new.txt', /Read-only file system|Permission denied/],
  [
    'a write into the home',
    'echo CANARY > HOME/new.txt',
    /Read-only file system|Permission denied|No such file/,
  ],
  // Files that it writes to the temporary folder stay in the sandbox.
  [
    'a write into the temporary folder',
    'echo CANARY > TEMPORARY/collab-canary; echo done',
    /done|Read-only file system/,
  ],
  [
    'a connection',
    'echo hello > /dev/tcp/127.0.0.1/PORT',
    /Operation not permitted|Connection refused|unreachable/,
  ],
] as const;

test.each(reads)('a command of the model: %s', async (_name, command, expected) => {
  const { output } = await runInside(agent, command, null);
  expect(output).toMatch(expected);
  expect(output).not.toContain('CANARY');
  nothingHappened();
});

test('a conversation that another server resumes is confined the same way', async () => {
  const stateFolder = join(world.root, 'state', 'resumed');
  const options = { stateFolder, reviewFolder: world.reviewFolder, env: hostile.env };
  const first = await world.open(options);
  upstream.play(inOrder({ text: 'begun' }));
  const asked = await ask(first, 'collab asks: begin');
  await first.close();
  const second = await world.open(options);
  const session = sessionOf(asked);
  for (const [, command, expected] of reads) {
    const { output, sessionId } = await runInside(second, command, session, stateFolder);
    expect(sessionId).toBe(session);
    expect(output).toMatch(expected);
    expect(output).not.toContain('CANARY');
  }
  nothingHappened();
});

test('without a copy of the repository the model has no commands, and one that it tries anyway fails', async () => {
  expect(agent.identity.remarks).toEqual([]);
  const stateFolder = join(world.root, 'state', 'alone');
  const first = await world.open({ stateFolder, env: hostile.env });
  expect(first.identity.remarks).toEqual(['no repository access']);
  const begun = await runInside(first, lookAndWrite, null, stateFolder);
  await first.close();
  const second = await world.open({ stateFolder, env: hostile.env });
  const resumed = await runInside(second, lookAndWrite, begun.sessionId, stateFolder);
  expect(resumed.sessionId).toBe(begun.sessionId);
  for (const { output, tools } of [begun, resumed]) {
    expect(output).toContain('unsupported call: exec_command');
    expect(tools).not.toContain('exec_command');
    expect(tools).not.toContain('write_stdin');
  }
  expect((await runInside(agent, lookAndWrite, null)).tools).toContain('exec_command');
  nothingHappened();
});

const lookAndWrite = 'cat REVIEW/total.ts; echo CANARY > HOME/new.txt';

test('without a copy no other tool reaches a file either', async () => {
  const alone = await world.open({ env: hostile.env });
  const patch = `*** Begin Patch\n*** Add File: ${world.home}/new.txt\n+CANARY\n*** End Patch`;
  const image = join(world.home, 'outside.txt');
  const before = upstream.requests.length;
  upstream.play(
    inOrder(
      { custom: [{ name: 'apply_patch', input: patch }] },
      { calls: [{ name: 'view_image', arguments: { path: image } }] },
      { text: 'I gave up' },
    ),
  );
  const asked = await ask(alone, 'collab asks: try it');
  expect(asked.result).toMatchObject({ text: 'I gave up' });
  const told = upstream.requests.slice(before + 1).map(({ lastInput }) => lastInput);
  const refused = expect.stringContaining('No usable execution environment is available');
  expect(told).toEqual([refused, refused]);
  nothingHappened();
});

test('a patch by the model and a request for more permissions are refused', async () => {
  const patch = `*** Begin Patch\n*** Add File: ${world.reviewFolder}/new.txt\n+CANARY\n*** End Patch`;
  const wish = { cmd: 'touch /tmp/x', sandbox_permissions: 'require_escalated', justification: 'please' };
  upstream.play(
    inOrder(
      { custom: [{ name: 'apply_patch', input: patch }] },
      { calls: [{ name: 'exec_command', arguments: wish }] },
      { calls: [{ name: 'request_user_input', arguments: { questions: [] } }] },
      { text: 'I gave up' },
    ),
  );
  expect((await ask(agent, 'collab asks: try it')).result).toMatchObject({ text: 'I gave up' });
  nothingHappened();
});

test('the login is linked, never copied, and the folders are private', async () => {
  const state = join(world.root, 'state', 'private');
  const alone = await world.open({ stateFolder: state, reviewFolder: world.reviewFolder, env: hostile.env });
  await alone.close();
  const listing = execFileSync('find', [state, '-maxdepth', '1', '-printf', '%f %M\n'], { encoding: 'utf8' });
  expect(listing.trim().split('\n').toSorted()).toEqual([
    'bin drwx------',
    'codex drwx------',
    'empty drwx------',
    'home drwx------',
    'private drwx------',
  ]);
  expect(execFileSync('readlink', [join(state, 'codex', 'auth.json')], { encoding: 'utf8' }).trim()).toBe(
    join(world.codexHome, 'auth.json'),
  );
  expect(readdirSync(join(state, 'empty'))).toEqual([]);
});

test("the user's own Codex files are unchanged", () => {
  expect(readFileSync(join(world.codexHome, 'auth.json'), 'utf8')).toContain('CANARY_AUTH');
});

/** Lets the model run one command and returns its result. */
async function runInside(
  asked: Agent,
  command: string,
  sessionId: string | null,
  stateFolder = join(world.root, 'state', 'run-1'),
) {
  const address = listener.address();
  const cmd = command
    .replaceAll('REVIEW', world.reviewFolder)
    .replaceAll('HOME', world.home)
    .replaceAll('STATE', stateFolder)
    .replaceAll('REPOSITORY', world.repository)
    .replaceAll('TEMPORARY', tmpdir())
    .replaceAll('PORT', String(typeof address === 'object' ? address?.port : ''));
  upstream.play(inOrder({ calls: [{ name: 'exec_command', arguments: { cmd } }] }, { text: 'done' }));
  const { result } = await ask(asked, `collab asks: run a command`, { sessionId });
  expect(result).toMatchObject({ kind: 'answered', text: 'done' });
  const output = upstream.requests.at(-1)?.lastInput ?? '';
  return {
    output,
    tools: toolsOf(upstream.requests.at(-2)?.body),
    sessionId: 'sessionId' in result ? result.sessionId : null,
  };
}

function toolsOf(body: unknown): readonly string[] {
  const named = z.looseObject({ name: z.string() });
  const { tools } = z.looseObject({ tools: z.array(z.unknown()) }).parse(body);
  return tools.flatMap((tool) => named.safeParse(tool).data?.name ?? []);
}

/** Nothing was written, connected to, or executed outside the sandbox. */
function nothingHappened(): void {
  const places = [world.reviewFolder, world.home].map((folder) => join(folder, 'new.txt'));
  expect([...places, join(tmpdir(), 'collab-canary')].filter((path) => existsSync(path))).toEqual([]);
  expect(readdirSync(hostile.traces)).toEqual([]);
  expect(connections).toBe(0);
}
