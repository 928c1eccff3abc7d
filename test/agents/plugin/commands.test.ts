/** The plugin's commands, typed by a user in the real Claude Code without a permission rule: no permission is denied. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanAnswer } from '../../fixtures/review-answers.ts';
import { designAnswer } from '../../contract/workflow/workflow-script.ts';
import type { MessageStep } from '../../upstream/messages-steps.ts';
import { inOrder } from '../../upstream/steps.ts';
import { createPluginWorld, type PluginWorld } from './plugin-user.ts';

const folder = resolve(import.meta.dirname, '../../../commands');

/** The words that the user types after each command, and the commands that the model then runs. */
const typed: Readonly<Record<string, { readonly words: string; readonly runs: readonly string[] }>> = {
  review: {
    words: '--effort quick',
    runs: [
      'collab review --plan --effort quick',
      'collab review --detach --effort quick',
      'collab wait latest --timeout 2m',
    ],
  },
  result: { words: '', runs: ['collab show'] },
  status: { words: 'latest', runs: ['collab status latest'] },
  adversarial: {
    words: 'the total',
    runs: ['collab review --effort quick --focus "the total"', 'collab wait latest --timeout 2m'],
  },
  consult: {
    words: 'design Is it right?',
    runs: [
      "collab consult design --file - <<'BRIEF'\nIs it right?\nBRIEF",
      'collab wait latest --timeout 2m',
    ],
  },
  fix: { words: '', runs: ['collab show', 'collab fix F1'] },
  cancel: { words: 'latest', runs: ['collab cancel latest'] },
  setup: { words: '', runs: ['collab doctor'] },
};

let plugin: PluginWorld;

beforeAll(async () => {
  plugin = await createPluginWorld();
});

afterAll(async () => {
  await plugin.close();
});

test('every command of the plugin has a test', () => {
  const names = readdirSync(folder).map((name) => name.replace(/\.md$/, ''));
  expect(Object.keys(typed).toSorted()).toEqual(names.toSorted());
});

test.each(Object.entries(typed))(
  '/collab:%s sends its text and the user’s words to the model, and its collab commands are permitted',
  { timeout: 180_000 },
  async (name, { words, runs }) => {
    plugin.codexModel.play(inOrder({ text: name === 'consult' ? designAnswer : cleanAnswer }));
    const before = plugin.claudeModel.requests.length;
    const steps: readonly MessageStep[] = [...runs.map(bash), { text: 'Done.' }];
    let next = 0;
    const { code, denied, toolResults } = await plugin.claude({
      prompt: `/collab:${name} ${words}`.trim(),
      through: 'path',
      allow: [],
      script: () => steps[Math.min(next++, steps.length - 1)] ?? { text: 'Done.' },
    });
    expect({ code, denied }).toEqual({ code: 0, denied: [] });
    expect(toolResults).toHaveLength(runs.length);
    const request = plugin.claudeModel.requests[before]?.text ?? '';
    const [, body = ''] = readFileSync(join(folder, `${name}.md`), 'utf8').split(/\n---\n\n/);
    const sent = JSON.stringify(body.trim().replaceAll('$ARGUMENTS', words));
    expect(request).toContain(sent.slice(1, -1).slice(0, 150));
  },
);

test('a command permits nothing else', { timeout: 60_000 }, async () => {
  const others = ['touch made', 'collab review --plan && touch made', 'collab clean --all'];
  const steps: readonly MessageStep[] = [...others.map(bash), { text: 'Done.' }];
  let next = 0;
  const { denied } = await plugin.claude({
    prompt: '/collab:review',
    through: 'path',
    allow: [],
    script: () => steps[Math.min(next++, steps.length - 1)] ?? { text: 'Done.' },
  });
  expect(denied).toEqual(others);
  expect(existsSync(join(plugin.project, 'made'))).toBe(false);
});

function bash(command: string): MessageStep {
  return { tools: [{ name: 'Bash', input: { command, description: 'collab' } }] };
}
