/**
 * Waits for an unreachable model, on the real Codex and the real Claude Code: the wait ends, the reason is honest, the
 * run can continue.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cleanAnswer } from '../../fixtures/review-answers.ts';
import { startMessagesUpstream } from '../../upstream/messages-server.ts';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { startUpstream } from '../../upstream/responses-server.ts';
import { inOrder, type Step } from '../../upstream/steps.ts';
import { startPairWorld } from '../pair/pair-user.ts';

const world = await startPairWorld();

/** Long enough to be shortened twice. */
const lines = (factor: number): string =>
  Array.from(
    { length: 80 },
    (_, index) => `export const f${index} = (a: number) => a * ${index * factor};\n\n\n\n\n\n\n\n`,
  ).join('');

const files = { 'src/one.ts': lines(1), 'src/two.ts': lines(1) };
const codex = ['review', '--advisor', 'codex', '--lead', 'none'];
const claude = ['review', '--advisor', 'claude_code', '--lead', 'none'];

function changed(config: string, changes: readonly string[] = ['src/one.ts', 'src/two.ts']) {
  const folder = world.repository({ files, config });
  for (const path of changes) folder.write(path, lines(2));
  return folder;
}

type Folder = ReturnType<typeof changed>;

function rejections(folder: Folder): readonly string[] {
  return folder
    .events()
    .flatMap((event) => (event.type === 'exchange.rejected' ? [`${event.reason} ${event.action}`] : []));
}

const silence = ['timed_out shortening', 'timed_out shortening', 'timed_out exhausted'];

test('R001-15.1 X001-10.5 Codex whose model sends no byte gets two shorter attempts, then the run stops and can go on', async () => {
  const folder = changed('limits: { first_byte: 2s, idle: 1m }\n');
  world.codex.play(inOrder({ hang: 'headers' }));
  const before = world.codex.requests.length;
  const ended = await folder.pair(...codex);
  expect(ended.code).toBe(3);
  expect(rejections(folder)).toEqual(silence);
  const lengths = world.codex.requests.slice(before).map(({ text }) => text.length);
  expect(lengths).toHaveLength(3);
  expect(lengths).toEqual(lengths.toSorted((left, right) => right - left));
  expect(folder.result()).toMatchObject({ outcome: 'incomplete', exit_code: 3 });
  expect(folder.result().reasons[0]).toMatch(/^agent_silent: .*no byte.*first_byte limit/);
  expect(ended.stderr).toContain('time limit 60 min');
  expect(ended.stdout).toContain('collab resume');
  world.codex.play(inOrder({ text: cleanAnswer }));
  expect(await folder.run('resume')).toMatchObject({ code: 0, stdout: expect.stringContaining('clean') });
  expect(folder.result().coverage.lines_reviewed).toBe(folder.result().coverage.lines_changed);
});

test('R001-15.1 Claude Code whose model sends no byte is ended the same way', async () => {
  const folder = changed('limits: { first_byte: 3s, idle: 1m }\n');
  world.claude.play(messagesInOrder({ hang: 'headers' }));
  const ended = await folder.pair(...claude);
  expect(ended.code).toBe(3);
  expect(rejections(folder)).toEqual(silence);
  expect(folder.result().reasons[0]).toMatch(/^agent_silent: /);
  world.claude.play(messagesInOrder({ text: cleanAnswer }));
  expect(await folder.run('resume')).toMatchObject({ code: 0 });
});

const oneByOne = 'chunk_tokens: 2500\nconcurrency: 1\n';

test('a refused connection ends the whole Codex review; earlier answers are not requested again', async () => {
  const folder = changed(oneByOne);
  const gone = await startUpstream(inOrder({ text: 'never' }));
  await gone.close();
  const home = folder.read('../home/.codex/config.toml');
  world.codex.play(inOrder({ text: cleanAnswer }));
  folder.write('../home/.codex/config.toml', home.replaceAll(world.codex.url, gone.url));
  const ended = await folder.pair(...codex);
  folder.write('../home/.codex/config.toml', home);
  expect(ended.code).toBe(4);
  expect(rejections(folder)).toEqual([
    'overloaded waiting',
    'overloaded waiting',
    'overloaded waiting',
    'overloaded unavailable',
    ...folder
      .result()
      .exchanges.slice(1)
      .map(() => 'overloaded unavailable'),
  ]);
  expect(folder.result().exchanges.length).toBeGreaterThan(1);
  expect(folder.result().reasons[0]).toMatch(/^agent_unreachable: /);
  expect(await folder.run('resume')).toMatchObject({ code: 0 });
});

test('a refused connection ends the whole Claude Code review', async () => {
  const gone = await startMessagesUpstream(messagesInOrder({ text: 'never' }));
  await gone.close();
  const folder = changed('');
  folder.write(
    'gone.yaml',
    `${oneByOne}waits: [50ms]\nproviders: { claude_code: { base_url: "${gone.url}" } }\n`,
  );
  const ended = await folder.run(...claude, '--config', 'gone.yaml');
  expect(ended.code).toBe(4);
  expect(folder.result().reasons[0]).toMatch(/^agent_unreachable: /);
  expect(rejections(folder).filter((step) => step === 'overloaded waiting')).toHaveLength(3);
});

const working = (): Step => ({
  calls: [{ name: 'view_image', arguments: { path: 'a.png' } }],
  gate: delay(100),
});

test('an endless model is ended by the time limit; earlier answers are kept and not paid for again', async () => {
  const folder = changed(oneByOne);
  let isFirst = true;
  world.codex.play(() => {
    if (!isFirst) return working();
    isFirst = false;
    return { text: cleanAnswer };
  });
  const ended = await folder.pair(...codex, '--time-limit', '9s');
  expect(ended.code).toBe(3);
  expect(ended.stderr).toContain('time limit 9 s');
  expect(folder.result().reasons[0]).toMatch(/^time_spent: .*the run's time limit is over \(9 s\)/);
  const { lines_reviewed: reviewed, lines_changed: all } = folder.result().coverage;
  expect(reviewed).toBeGreaterThan(0);
  expect(reviewed).toBeLessThan(all);
  const open = folder
    .events()
    .filter((event) => event.type === 'exchange.ended' && event.outcome !== 'settled').length;
  world.codex.play(inOrder({ text: cleanAnswer }));
  const before = world.codex.requests.length;
  expect(await folder.run('resume')).toMatchObject({ code: 0 });
  expect(world.codex.requests.length - before).toBe(open);
});
