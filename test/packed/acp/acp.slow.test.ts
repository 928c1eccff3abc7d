/** `collab acp` as an editor meets it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { stringify } from 'yaml';
import { z } from 'zod';
import { Deferred } from '../../../src/system/deferred.ts';
import { change, wholeAnswer } from '../../fixtures/review-answers.ts';
import { faulty, lines } from '../mcp/faulty-project.ts';
import { repository, test, type Place } from '../place.ts';
import { openEditor, type Update } from './editor.ts';

/** The person's own configuration: an editor sends no flags. */
function configure(place: Place, script: string): void {
  const agent = `rehearsal:${join(place.folder, script)}`;
  const folder = join(place.environment['HOME'] ?? '', '.config/collab');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'collab.config.yaml'), stringify({ lead: agent, advisor: agent }));
}

test('a person reviews, sees the findings at their lines, and lets one be fixed', async ({
  place,
  expect,
}) => {
  faulty(place);
  configure(place, 'scripts/pair.yaml');
  const asked: RequestPermissionRequest[] = [];
  const editor = await openEditor(place, {
    person(request) {
      asked.push(request);
      return request.options.find(({ kind }) => kind === 'allow_once')?.optionId ?? null;
    },
  });
  try {
    const session = await editor.open();
    expect(await editor.prompt(session, '/review --effort quick --lead none')).toBe('end_turn');
    const file = join(place.folder, 'src/one.js');
    expect(
      editor
        .of('tool_call')
        .filter(({ toolCallId }) => toolCallId.includes('/finding/'))
        .map(({ title, locations }) => ({ title, locations })),
    ).toEqual([
      { title: 'F1 Critical: line 1', locations: [{ path: file, line: 1 }] },
      { title: 'F2 Important: line 2', locations: [{ path: file, line: 2 }] },
    ]);
    expect(editor.said()).toContain('# Code review: findings');
    expect(statuses(editor.of('plan').at(-1))).toEqual(['completed', 'completed']);
    expect(asked).toEqual([]);

    expect(await editor.prompt(session, '/fix F1 F2')).toBe('end_turn');
    expect(asked.map(({ toolCall, options }) => [toolCall.title, options.map(({ kind }) => kind)])).toEqual([
      ['Let a lead fix the findings?', ['allow_once', 'reject_once']],
      ['Apply the changes to your files?', ['allow_once', 'reject_once']],
    ]);
    expect(JSON.stringify(asked[1])).toContain('+export const one = 1;');
    expect(place.read('src/one.js')).toBe(`export const one = 1;\n${lines[1]}\n`);
  } finally {
    expect(await editor.close()).toBe('');
  }
}, 240_000);

test('a cancelled prompt ends its run, and says so', async ({ place, expect }) => {
  place.write('change.diff', change);
  place.write(
    'scripts/slow.yaml',
    stringify({ turns: [{ repeat: 'forever', answer: wholeAnswer, delay_ms: 600_000 }] }),
  );
  configure(place, 'scripts/slow.yaml');
  const atWork = new Deferred<void>();
  const editor = await openEditor(place, {
    onUpdate({ update }) {
      if (update.sessionUpdate === 'plan' && statuses(update).includes('in_progress')) atWork.resolve();
    },
  });
  try {
    const session = await editor.open();
    const ended = editor.prompt(session, '/review change.diff --effort quick --lead none');
    await atWork.promise;
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await ended).toBe('cancelled');
    expect(editor.said()).toContain('cancelled');
    expect(statuses(editor.of('plan').at(-1))).not.toContain('completed');
    const { stdout } = await place.collab(['status', 'latest', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'ended', outcome: 'incomplete' });
  } finally {
    expect(await editor.close()).toBe('');
  }
}, 120_000);

test('a server that is killed loses nothing: the session is loaded in another one and shows the run to its end', async ({
  place,
  expect,
}) => {
  place.write('change.diff', change);
  place.write(
    'scripts/slow.yaml',
    stringify({ turns: [{ repeat: 'forever', answer: wholeAnswer, delay_ms: 2000 }] }),
  );
  configure(place, 'scripts/slow.yaml');
  const atWork = new Deferred<void>();
  const first = await openEditor(place, {
    onUpdate({ update }) {
      if (update.sessionUpdate === 'plan' && statuses(update).includes('in_progress')) atWork.resolve();
    },
  });
  const session = await first.open();
  const words = '/review change.diff --effort quick --lead none';
  const lost = first.prompt(session, words).catch(() => 'lost');
  await atWork.promise;
  process.kill(first.pid, 'SIGKILL');
  expect(await lost).toBe('lost');
  await first.close();

  const second = await openEditor(place);
  try {
    const { sessions } = await second.agent.request('session/list', { cwd: place.folder });
    expect(sessions).toMatchObject([{ sessionId: session, cwd: place.folder, title: words }]);
    await second.agent.request('session/load', { sessionId: session, cwd: place.folder, mcpServers: [] });
    expect(second.of('user_message_chunk').map(({ content }) => content)).toEqual([
      { type: 'text', text: words },
    ]);
    if (second.said().includes('is still at work'))
      expect(await second.prompt(session, '/continue')).toBe('end_turn');
    expect(second.said()).toContain('# Code review: findings');
    expect(place.runs()).toHaveLength(1);
  } finally {
    expect(await second.close()).toBe('');
  }
}, 120_000);

test('bytes that are no messages get refusals, and nothing else is on standard output', async ({
  place,
  expect,
}) => {
  const bytes = Buffer.concat([
    Buffer.from('\u0000\u0000\n{"jsonrpc":"2.0","id":1\n[1,2]\n{}\n"x"\n\n'),
    Buffer.from([0xff, 0xfe, 0xfd, 0x0a]),
    Buffer.from('{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}\n'),
    Buffer.from('{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":"one"}}\n'),
    Buffer.from('{"jsonrpc":"2.0","id":9,"method":"initialize","params":{"protocolVersion":1}}\n'),
    Buffer.from('{"jsonrpc":"2.0","id":10,"method":"session/prompt","params":{"sessionId":1,"prompt":[]}}\n'),
    Buffer.from('{"jsonrpc":"2.0","id":11,"method":"rm","params":{}}\n'),
  ]);
  const { code, stdout, stderr } = await place.collab(['acp'], { input: bytes.toString('latin1') });
  expect([code, stderr]).toEqual([0, '']);
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => answerSchema.parse(JSON.parse(line)));
  const codes = new Map(answers.map(({ id, error }) => [id, error?.code ?? null]));
  expect([7, 8, 9, 10, 11].map((id) => codes.get(id))).toEqual([-32600, -32602, null, -32602, -32601]);
  expect(answers.filter(({ id }) => id === null).length).toBeGreaterThanOrEqual(6);
}, 60_000);

test('a signal ends a server whose reader takes nothing', async ({ place, expect }) => {
  const child = spawn(process.execPath, [place.command, 'acp'], {
    cwd: place.folder,
    env: place.environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'exit');
  child.stdin.write(requestLine(0, 'initialize'));
  await once(child.stdout, 'readable');
  // More answers than a pipe holds: the server stops reading, and our own writes stay behind.
  for (let id = 1; id < 20_000; id += 1) child.stdin.write(requestLine(id, 'session/list'));
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
}, 60_000);

test('the commands of references/acp.md are those of the program', async ({ place, expect }) => {
  const page = readFileSync(join(repository, 'references/acp.md'), 'utf8');
  const commands = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, code = '']) =>
    code.trim().split('\n'),
  );
  expect(commands).toEqual(['collab acp', 'echo apply | collab answer latest --file -']);

  faulty(place);
  configure(place, 'scripts/pair.yaml');
  const editor = await openEditor(place, {
    person: ({ options }) => options.find(({ optionId }) => optionId === 'start')?.optionId ?? null,
  });
  try {
    const session = await editor.open();
    await editor.seen(({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
    const announced = editor
      .of('available_commands_update')[0]
      ?.availableCommands.map(({ name }) => `/${name}`);
    const inTable = [...page.matchAll(/^\| `(\/[a-z]+)/gm)].map(([, name]) => name);
    expect(new Set(inTable)).toEqual(new Set(announced));
    await editor.prompt(session, '/review --effort quick --lead none');
    await editor.prompt(session, '/fix F1 F2');
    expect(editor.said()).toContain('waits for your decision');
    expect(place.read('src/one.js')).toContain('one = 0');
    const answered = await place.collab(['answer', 'latest', '--file', '-'], { input: 'apply\n' });
    expect(answered.code, answered.stderr).toBeLessThan(2);
    expect(place.read('src/one.js')).toContain('one = 1');
    await editor.prompt(session, '/continue');
    expect(editor.said().match(/# Code review/g)).toHaveLength(2);
  } finally {
    expect(await editor.close()).toBe('');
  }
}, 240_000);

function requestLine(id: number, method: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params: { protocolVersion: 1 } })}\n`;
}

const answerSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string(), z.null()]),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

function statuses(plan: Update<'plan'> | undefined): readonly string[] {
  return (plan?.entries ?? []).map(({ status }) => status);
}
