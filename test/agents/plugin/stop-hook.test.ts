/** The Stop hook that `collab init --stop-hook` writes, in the real Claude Code and with the real Codex. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { inOrder } from '../../upstream/steps.ts';
import type { MessageStep } from '../../upstream/messages-steps.ts';
import { createPluginWorld, criticalReview, type PluginWorld } from './plugin-user.ts';

let plugin: PluginWorld;

beforeAll(async () => {
  plugin = await createPluginWorld();
  const { code } = await plugin.cloned('npx', 'init', '--stop-hook');
  if (code !== 0) throw new Error(`collab init ended with ${code}`);
});

afterAll(async () => {
  await plugin.close();
});

const total = criticalReview('src/total.ts', 'export const total = 2;', 'The total doubled');

test('findings send Claude back to work, and not twice for the same ones', async () => {
  plugin.codexModel.play(inOrder({ text: total }));
  expect(await stop({ text: 'Done.' })).toEqual([
    expect.not.stringContaining('The total doubled'),
    expect.stringContaining('The total doubled'),
  ]);
});

test('new findings after each change send Claude back three times', { timeout: 240_000 }, async () => {
  const rounds = [1, 2, 3, 4].map((round) => ({
    path: `src/round-${round}.ts`,
    line: `export const r${round} = 1;`,
  }));
  const newestIn = (request: string) => rounds.findLast(({ line }) => request.includes(line)) ?? rounds[0];
  plugin.codexModel.play(({ text }) => {
    const { path = '', line = '' } = newestIn(text) ?? {};
    return { text: criticalReview(path, line, `Fault of ${path}`) };
  });
  const before = plugin.runs().length;
  const steps = rounds.flatMap(({ path, line }): readonly MessageStep[] => [
    { tools: [{ name: 'Write', input: { file_path: join(plugin.project, path), content: `${line}\n` } }] },
    { text: 'Done.' },
  ]);
  const requests = await stop(...steps);
  expect(plugin.runs()).toHaveLength(before + 3);
  expect(requests).toHaveLength(steps.length);
  expect(requests.at(-1)).toContain('Fault of src/round-3.ts');
});

test('a failed review does not keep Claude from stopping', async () => {
  // An earlier review would be answered without a call.
  writeFileSync(join(plugin.project, 'src/fresh.ts'), 'export const fresh = 1;\n');
  plugin.codexModel.play(inOrder({ status: 401, body: { error: { message: 'no' } } }));
  const before = plugin.codexModel.requests.length;
  expect(await stop({ text: 'Done.' })).toHaveLength(1);
  expect(plugin.codexModel.requests.length).toBeGreaterThan(before);
});

/** The requests to Claude's model, which takes these steps and wants to stop after each text. */
async function stop(...steps: readonly MessageStep[]): Promise<readonly string[]> {
  const before = plugin.claudeModel.requests.length;
  const session = await plugin.claude({
    through: 'path',
    allow: ['Write'],
    script: messagesInOrder(...steps),
  });
  expect(session).toMatchObject({ code: 0, denied: [] });
  return plugin.claudeModel.requests.slice(before).map(({ text }) => text);
}
