/** The real Claude Code and the real Codex as hosts of the installed `collab`, added by the commands of references/mcp.md; their models are scripted. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { stringify } from 'yaml';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { advises, issue, leads, review, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { verdict } from '../../fixtures/review-answers.ts';
import { installPackedCollab } from '../../packed/packed-collab.ts';
import { startMessagesUpstream, type MessagesUpstream } from '../../upstream/messages-server.ts';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { startUpstream, type Upstream } from '../../upstream/responses-server.ts';
import { inOrder } from '../../upstream/steps.ts';
import { codexBin, createWorld, type World } from '../codex/codex-user.ts';
import { claudeEnv, claudeProgram } from '../plugin/plugin-user.ts';

const line = 'export const one = 0;';
const pair = 'rehearsal:scripts/pair.yaml';

let claudeModel: MessagesUpstream;
let codexModel: Upstream;
let world: World;
/** The folder of `claude`, `codex` and `collab`. */
let programs: string;

beforeAll(async () => {
  claudeModel = await startMessagesUpstream(messagesInOrder({ text: 'unscripted' }));
  codexModel = await startUpstream(inOrder({ text: 'unscripted' }));
  world = createWorld({ url: codexModel.url });
  const { command } = await installPackedCollab();
  programs = join(world.root, 'programs');
  const commands = { claude: claudeProgram, codex: join(codexBin, 'codex'), collab: command };
  for (const [name, path] of Object.entries(commands)) {
    mkdirSync(programs, { recursive: true });
    symlinkSync(path, join(programs, name));
  }
});

afterAll(async () => {
  await world.close();
  await claudeModel.close();
  await codexModel.close();
});

/** The model's next call of a tool; null ends its turn. `run`: the last run that a result named. */
interface Call {
  readonly tool: string;
  readonly args: (run: string) => object;
}

/** The whole story. The person is not there: the gate of the fix stays closed. */
function storyWith(agents: { readonly advisor?: string; readonly lead?: string }): readonly Call[] {
  return [
    { tool: 'review', args: () => ({ ...agents, lead: 'caller' }) },
    { tool: 'answer', args: (run) => ({ run, answer: verdict('confirm', 'None', 'F1') }) },
    { tool: 'findings', args: (run) => ({ run }) },
    { tool: 'fix', args: (run) => ({ ...agents, run, findings: ['F1'], wait_seconds: 20 }) },
    { tool: 'answer', args: (run) => ({ run, answer: 'apply' }) },
  ];
}

type Host = 'claude' | 'codex';

const hosts = { claude: claudeCalls, codex: codexCalls } as const;

test.each(['claude', 'codex'] as const)(
  'the real %s reviews, answers, reads the findings and fixes one, and opens no gate',
  { timeout: 240_000 },
  async (host) => {
    const project = faultyProject(host);
    await add(host, project, ' -- ');
    expect(await playStory(host, project, storyWith({ advisor: pair, lead: pair }))).toEqual(told);
  },
);

test.each(['claude', 'codex'] as const)(
  'the real %s does the same over HTTP, as a tenant of a server',
  { timeout: 240_000 },
  async (host) => {
    const project = faultyProject(`${host}-http`);
    const url = await serveIn(project);
    const env = { COLLAB_TOKEN: await tokenFor(project, `run,repo:${basename(project)}`) };
    await add(host, project, '/tenants/acme/mcp', { url, env });
    expect(await playStory(host, project, storyWith({}), env)).toEqual(told);
  },
);

test('the real claude reaches the server of its own machine without a token', async () => {
  const project = faultyProject('own-machine');
  await add('claude', project, '/tenants/local/mcp', { url: await serveIn(project) });
  const [reviewed] = await claudeCalls(project, [{ tool: 'review', args: () => ({ effort: 'quick' }) }]);
  expect(reviewed).toContain('line 1');
}, 240_000);

test('a run that one host started is found by the other', { timeout: 240_000 }, async () => {
  const project = faultyProject('shared');
  for (const host of ['claude', 'codex'] as const) await add(host, project, ' -- ');
  const quick = { advisor: pair, effort: 'quick' };
  const [reviewed = ''] = await claudeCalls(project, [{ tool: 'review', args: () => quick }]);
  const [found] = await codexCalls(project, [{ tool: 'status', args: () => ({ run: 'latest' }) }]);
  expect(reviewed).toContain('line 1');
  expect(found).toBe(reviewed);
});

/** The results that the model reads in the story, and the file that stays as it was. */
const told = [
  expect.stringMatching(/state: waiting[^]*second opinion/),
  expect.stringContaining('confirmed by the lead'),
  expect.stringMatching(/outcome: findings[^]*line 1/),
  expect.stringContaining('+export const one = 1;'),
  expect.stringMatching(/^the gate of \S+ stays closed: /),
  `${line}\n`,
];

/** Returns the results that the model was told, and the faulty file after them. */
async function playStory(
  host: Host,
  project: string,
  story: readonly Call[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const results = await hosts[host](project, story, env);
  return [...results, readFileSync(join(project, 'src/one.js'), 'utf8')];
}

/** Performs the command of references/mcp.md that adds `collab` to a host and has `words`, for a server at `url`. */
async function add(
  host: Host,
  project: string,
  words: string,
  { url = '', env = {} }: { readonly url?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const page = readFileSync(join(import.meta.dirname, '../../../references/mcp.md'), 'utf8');
  const written = page.split('\n').find((text) => text.startsWith(`${host} mcp add`) && text.includes(words));
  if (written === undefined) throw new Error(`the page has no command for ${host} with ${words}`);
  const command = written.replace(/https?:\/\/[^/]+/, url);
  await execa('sh', ['-c', command], { cwd: project, env: { ...hostEnv(), ...env }, extendEnv: false });
}

/** The environment of a person who has both hosts and `collab` installed. */
function hostEnv(): Readonly<Record<string, string>> {
  return {
    ...world.env,
    PATH: `${programs}:${dirname(process.execPath)}:${world.env['PATH']}`,
    ...claudeEnv(world.home, claudeModel),
  };
}

/** Returns what the host prints as lines of JSON. */
async function play(
  host: Host,
  project: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly unknown[]> {
  const { stdout } = await execa(join(programs, host), args, {
    cwd: project,
    env: { ...hostEnv(), ...env },
    extendEnv: false,
    input: '',
    reject: false,
    timeout: 200_000,
  });
  return stdout
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text): unknown => JSON.parse(text));
}

/** Serves the project on a free port until the test ends. Returns the address. */
async function serveIn(project: string): Promise<string> {
  const agents = ['--advisor', pair, '--lead', pair];
  const server = execa(join(programs, 'collab'), ['serve', '--port', '0', '--json', ...agents], {
    cwd: project,
    env: hostEnv(),
    extendEnv: false,
    reject: false,
  });
  onTestFinished(async () => {
    server.kill();
    await server;
  });
  const [said]: unknown[] = await once(server.stdout, 'data');
  return z.object({ url: z.url() }).parse(JSON.parse(String(said))).url;
}

async function tokenFor(project: string, grants: string): Promise<string> {
  const args = ['serve', 'token', 'create', '--tenant', 'acme', '--may', grants];
  const { stdout } = await execa(join(programs, 'collab'), args, {
    cwd: project,
    env: hostEnv(),
    extendEnv: false,
  });
  return stdout;
}

/** A repository with a change of one faulty line, and a rehearsed pair that finds and fixes it. */
function faultyProject(name: string): string {
  const project = join(world.root, name);
  const place = (path: string, text: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  place('README.md', '# one\n');
  place('.gitignore', 'scripts/\n');
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', '--all'],
    [...identity, 'commit', '-q', '-m', 'begin'],
  ])
    execFileSync('git', args, { cwd: project });
  place('src/one.js', `${line}\n`);
  const again = { tag: '[REQUEST:REVIEW]', contains: 'Findings that the change is meant to fix' };
  const script = scriptOf(
    advises(again, review('None'), { repeat: 'forever' }),
    advises({ tag: '[REQUEST:REVIEW]' }, review(issue('Critical', 'line 1', line))),
    leads({ work: 'implement' }, 'F1: fixed\n', {
      edits: [{ path: 'src/one.js', content: 'export const one = 1;\n' }],
    }),
  );
  place('scripts/pair.yaml', stringify(script));
  return project;
}

function lastRunIn(text: string): string {
  return text.match(/\d{8}-\d{6}-[a-z0-9]{4}/g)?.at(-1) ?? '';
}

/** Returns the results as the model was told them. */
async function claudeCalls(
  project: string,
  calls: readonly Call[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  let next = 0;
  claudeModel.play(({ text }) => {
    const call = calls[next];
    next += 1;
    if (call === undefined) return { text: 'Done.' };
    return { tools: [{ name: `mcp__collab__${call.tool}`, input: { ...call.args(lastRunIn(text)) } }] };
  });
  const streamed = ['--output-format', 'stream-json', '--verbose'];
  const args = ['-p', 'Review it.', '--allowedTools', 'mcp__collab', ...streamed];
  return (await play('claude', project, args, env))
    .flatMap((said) => claudeSchema.safeParse(said).data?.message.content ?? [])
    .map(({ content }) => content.map(({ text }) => text).join('\n'));
}

const part = z.looseObject({ type: z.literal('text'), text: z.string() });
const claudeSchema = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({
    content: z.array(
      z.looseObject({
        type: z.literal('tool_result'),
        content: z.union([z.string().transform((text) => [{ text }]), z.array(part)]),
      }),
    ),
  }),
});

/** Codex names the tools of a server by its name and the tool's. */
async function codexCalls(
  project: string,
  calls: readonly Call[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  let next = 0;
  codexModel.play(({ text }) => {
    const call = calls[next];
    next += 1;
    if (call === undefined) return { text: 'Done.' };
    const item = {
      type: 'function_call',
      id: `fc_${next}`,
      call_id: `call_${next}`,
      namespace: 'mcp__collab',
      name: call.tool,
      arguments: JSON.stringify(call.args(lastRunIn(text))),
      status: 'completed',
    };
    return { items: [item] };
  });
  const settings = [
    'mcp_servers.collab.default_tools_approval_mode="approve"',
    // Else its first request may be sent before the server has named its tools.
    'mcp_servers.collab.required=true',
  ].flatMap((setting) => ['-c', setting]);
  const args = ['exec', '--json', '--skip-git-repo-check', '-s', 'read-only', ...settings, 'Review it.'];
  return (await play('codex', project, args, env)).flatMap((said) => {
    const read = codexSchema.safeParse(said).data;
    return read === undefined ? [] : [read.item.result.content.map(({ text }) => text).join('\n')];
  });
}

const codexSchema = z.looseObject({
  type: z.literal('item.completed'),
  item: z.looseObject({
    type: z.literal('mcp_tool_call'),
    result: z.looseObject({ content: z.array(part) }),
  }),
});
