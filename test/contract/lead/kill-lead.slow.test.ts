/** A lead made of a model, killed in the middle of its turn: the session continues in the next process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { buildProgram } from '../../setup/build-program.ts';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { startMessagesUpstream } from '../../upstream/messages-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'collab-test-'));
let program = '';

beforeAll(async () => {
  program = await buildProgram(join(import.meta.dirname, 'lead-turn.program.ts'), join(folder, 'program'));
  const profiles = 'anthropic/ai_profile';
  const source = join(import.meta.dirname, '../../../src/providers', profiles);
  cpSync(source, join(folder, profiles), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a turn killed after its tools continues in another process, which knows the files that the first had read', async () => {
  const upstream = await startMessagesUpstream(
    messagesInOrder(
      { text: 'I look.', tools: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
      { text: 'a long answer', hang: 'stream' },
      { text: 'the whole answer' },
    ),
  );
  onTestFinished(() => upstream.close());
  const work = mkdtempSync(join(folder, 'work-'));
  writeFileSync(join(work, 'a.txt'), 'seen before the kill\n');
  const stateFolder = mkdtempSync(join(folder, 'state-'));
  const common = { url: upstream.url, stateFolder, folder: work };

  const killed = start({ ...common, prompt: 'go', callId: 'lead_1/1/1', sessionId: null, harvest: null });
  await upstream.untilRequests(2);
  killed.child.kill('SIGKILL');
  await killed.ended;
  await expect.poll(() => upstream.openTurns()).toBe(0);
  const { bound: sessionId } = boundSchema.parse(killed.lines()[0]);

  const next = start({
    ...common,
    prompt: 'Your last turn was cut.',
    callId: 'lead_1/1/2',
    sessionId,
    harvest: 'lead_1/1',
  });
  await next.ended;
  expect(next.lines()).toMatchObject([
    { harvest: { kind: 'interrupted' } },
    { bound: sessionId },
    { result: { kind: 'answered', text: 'the whole answer', sessionId } },
  ]);
  expect(upstream.requests[2]?.body).toMatchObject({
    messages: [
      { role: 'user', content: [{ text: 'go' }] },
      { role: 'assistant', content: [{ text: 'I look.' }, { type: 'tool_use', name: 'Read' }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', content: [{ text: '1\tseen before the kill' }] },
          { text: 'Your last turn was cut.' },
        ],
      },
    ],
  });

  const third = start({
    ...common,
    prompt: 'and now?',
    callId: 'lead_2/1/1',
    sessionId,
    harvest: 'lead_1/1',
  });
  await third.ended;
  expect(third.lines()[0]).toMatchObject({ harvest: { kind: 'answered', text: 'the whole answer' } });
});

const boundSchema = z.object({ bound: z.string() });

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  lines(): readonly object[];
}

function start(order: object): Started {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    env: { PATH: process.env['PATH'] ?? '', ANTHROPIC_API_KEY: 'key-for-tests' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: object[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(Object(JSON.parse(line))));
  return { child, ended: once(child, 'close'), lines: () => lines };
}
