/** Nothing of the user's or the repository's set-up reaches the lead, and it reaches nothing but the folder of its work. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventBody } from '../../../src/events/collab-event.ts';
import { startMessagesUpstream, type MessagesUpstream } from '../../upstream/messages-server.ts';
import { messagesInOrder, type ToolUse } from '../../upstream/messages-steps.ts';
import { createHostileClaudeWorld, type HostileClaudeWorld } from './hostile-setup.ts';
import { claudeBin, startScriptedClaude, lead } from './claude-user.ts';

const { upstream, world } = await startScriptedClaude();
let elsewhere: MessagesUpstream;
let hostile: HostileClaudeWorld;

beforeAll(async () => {
  elsewhere = await startMessagesUpstream(messagesInOrder({ text: 'I got your key.' }));
  hostile = createHostileClaudeWorld(world, elsewhere.url);
});

afterAll(async () => {
  await elsewhere.close();
});

const edit = { kind: 'implement', phase: 'implementation', access: 'edit' } as const;
const prompt = 'Look at @/etc/passwd and\n@.env\n@CLAUDE.md /hostile $hostile !`id` please.';

test('no text of either set-up is in a request, none of its programs runs, and no other server is contacted', async () => {
  const before = upstream.requests.length;
  const elsewhereBefore = [elsewhere.requests.length, elsewhere.others.length];
  const agent = await world.open({ env: hostile.env });
  upstream.play(
    messagesInOrder(
      { tools: [{ name: 'Grep', input: { pattern: 'CANARY', output_mode: 'content' } }] },
      { tools: [{ name: 'Read', input: { file_path: join(world.folder, 'src/total.ts') } }] },
      { text: 'Done.' },
    ),
  );
  const access = [{ folder: null }, { folder: world.folder }, { ...edit, folder: world.folder }];
  for (const work of access) {
    const { result } = await lead(agent, prompt, { work });
    expect(result.kind).toBe('answered');
  }
  const sent = upstream.requests.slice(before);
  expect(sent.length).toBeGreaterThan(4);
  const first = sent.filter(({ lastInput }) => lastInput.includes('@/etc/passwd'));
  expect(first).toHaveLength(3);
  for (const { text, headers } of first) {
    expect(`${text} ${JSON.stringify(headers)}`.match(/CANARY\w*|root:\w*/g)).toBeNull();
    expect(headers['x-api-key']).toBe('sk-scripted');
  }
  expect(readdirSync(hostile.traces)).toEqual([]);
  expect([elsewhere.requests.length, elsewhere.others.length]).toEqual(elsewhereBefore);
  expect(upstream.others).toEqual([]);
});

test('the traps work: without the launch options the same set-up is used', async () => {
  const system = `claude-code-${process.platform}-${process.arch}`;
  const program = join(claudeBin, '../@anthropic-ai', system, 'claude');
  const started = promisify(execFile)(program, ['-p', 'hello'], {
    cwd: world.folder,
    env: hostile.env,
    timeout: 20_000,
  });
  started.child.stdin?.end();
  // Ignores how it ends: the test checks what it started.
  await started.catch(() => undefined);
  expect(readdirSync(hostile.traces)).toContain('work_hook');
  for (const name of readdirSync(hostile.traces)) rmSync(join(hostile.traces, name));
});

interface Refused extends ToolUse {
  readonly title: string;
}

const place = (path: string): string => `@work/${path}`;
const write = (title: string, path: string): Refused => ({
  title,
  name: 'Write',
  input: { file_path: path, content: 'CHANGED' },
});
const readOf = (title: string, path: string): Refused => ({
  title,
  name: 'Read',
  input: { file_path: path },
});

const refused: readonly Refused[] = [
  readOf('reading outside', '/etc/passwd'),
  readOf('reading outside by a detour', place('../outside/secret.txt')),
  readOf('reading through a link', place('link.txt')),
  readOf('reading through a linked folder', place('linked/secret.txt')),
  readOf('reading .env', place('.env')),
  readOf('reading .env.local', place('.env.local')),
  readOf('reading .git', place('.git/config')),
  readOf('reading its own environment', '/proc/self/environ'),
  readOf('reading the user’s home', '@home/.claude/CLAUDE.md'),
  {
    title: 'searching outside',
    name: 'Grep',
    input: { pattern: 'CANARY', path: '@outside', output_mode: 'content' },
  },
  { title: 'listing outside', name: 'Glob', input: { pattern: '@outside/*' } },
  write('writing outside', '@outside/made.txt'),
  write('writing outside by a detour', place('../outside/made.txt')),
  write('writing through a linked folder', place('linked/made.txt')),
  write('writing through a dangling link', place('dangling.txt')),
  write('writing a hook of git', place('.git/hooks/pre-commit')),
  write('writing a hook of git in other letters', place('.GIT/hooks/pre-push')),
  write('writing the configuration of git', place('.git/config')),
  write('writing .env', place('.env')),
  write('writing the settings of Claude', place('.claude/settings.json')),
  write('writing the servers of Claude', place('.mcp.json')),
  write('writing into the home', '@home/.bashrc'),
  write('writing into the temporary folder', '/tmp/collab-claude-made.txt'),
  { title: 'a command', name: 'Bash', input: { command: 'touch made.txt', description: 'x' } },
  { title: 'a request to the web', name: 'WebFetch', input: { url: 'http://127.0.0.1:9/', prompt: 'x' } },
  {
    title: 'an agent of its own',
    name: 'Task',
    input: { prompt: 'x', description: 'x', subagent_type: 'Explore' },
  },
];

test('in a folder with edit permission, each way out of it is refused', async () => {
  const agent = await world.open({ env: hostile.env });
  const files = ['.env', '.git/config', '.claude/settings.json', '.mcp.json'].map((path) =>
    join(world.folder, path),
  );
  const contents = files.map((file) => readFileSync(file, 'utf8'));
  const calls = refused.map(({ name, input }, index) => ({
    id: `toolu_${index}`,
    name,
    input: resolved(input),
  }));
  upstream.play(messagesInOrder(...calls.map((call) => ({ tools: [call] })), { text: 'None of it.' }));
  const { result, events } = await lead(agent, 'Get out.', { work: { ...edit, folder: world.folder } });
  expect(result).toMatchObject({ kind: 'answered', text: 'None of it.' });
  const told = refused.map(({ title }, index) => `${title}: ${outcomeOf(events, `toolu_${index}`)}`);
  expect(told).toEqual(refused.map(({ title }) => `${title}: refused`));
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(contents);
  const outside = ['outside/made.txt', 'home/made.txt', 'work/made.txt', 'work/.git/hooks', 'work/.GIT'];
  expect(outside.filter((path) => existsSync(join(world.root, path)))).toEqual([]);
  expect(existsSync('/tmp/collab-claude-made.txt')).toBe(false);
  expect(readFileSync(join(world.root, 'outside/secret.txt'), 'utf8')).toBe('CANARY_OUTSIDE\n');
  expect(readdirSync(hostile.traces)).toEqual([]);
  expect(events.filter(({ type }) => type === 'permission').length).toBeGreaterThan(10);
});

test('a search over the folder skips hidden files', async () => {
  const agent = await world.open({ env: hostile.env });
  upstream.play(
    messagesInOrder(
      { tools: [{ name: 'Grep', input: { pattern: 'CANARY', output_mode: 'content' } }] },
      { text: 'x' },
    ),
  );
  const { events } = await lead(agent, 'Search.', { work: { ...edit, folder: world.folder } });
  const found = events.find(({ type }) => type === 'tool.result');
  const text = found?.type === 'tool.result' ? found.content : '';
  expect(text).toContain('CANARY_work_MEMORY');
  expect(text).not.toMatch(/DOTENV|CANARY_OUTSIDE|CANARY_branch|fsmonitor/);
});

test('in a worktree, whose .git is a file, that file is not accessible either', async () => {
  const folder = join(world.root, 'worktree');
  mkdirSync(folder);
  const file = world.place('worktree/.git', `gitdir: ${join(world.repository, '.git/worktrees/w')}\n`);
  const agent = await world.open({ env: hostile.env });
  upstream.play(
    messagesInOrder(
      { tools: [{ name: 'Read', input: { file_path: file } }] },
      { tools: [{ name: 'Write', input: { file_path: file, content: 'gitdir: /tmp\n' } }] },
      { tools: [{ name: 'Write', input: { file_path: join(folder, 'made.ts'), content: 'x' } }] },
      { text: 'x' },
    ),
  );
  const { events } = await lead(agent, 'Edit.', { work: { ...edit, folder } });
  const errors = events.flatMap((event) => (event.type === 'tool.result' ? [event.is_error] : []));
  expect(errors).toEqual([true, true, false]);
  expect(readFileSync(file, 'utf8')).toContain('worktrees/w');
  expect(existsSync(join(folder, 'made.ts'))).toBe(true);
});

function resolved(input: ToolUse['input']): ToolUse['input'] {
  const text = JSON.stringify(input)
    .replaceAll('@work', world.folder)
    .replaceAll('@outside', join(world.root, 'outside'))
    .replaceAll('@home', world.home);
  return JSON.parse(text);
}

function outcomeOf(events: readonly EventBody[], id: string): string {
  const result = events.find((event) => event.type === 'tool.result' && event.call_id === id);
  if (result?.type !== 'tool.result') return 'no result';
  return result.is_error ? 'refused' : result.content.slice(0, 200);
}
