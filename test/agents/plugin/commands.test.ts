/** The plugin's commands, typed by a user in the real Claude Code without a permission rule: no permission is denied. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanAnswer } from '../../fixtures/review-answers.ts';
import { designAnswer } from '../../contract/workflow/workflow-script.ts';
import type { MessageStep } from '../../upstream/messages-steps.ts';
import { inOrder } from '../../upstream/steps.ts';
import { createPluginWorld, criticalReview, type PluginWorld } from './plugin-user.ts';

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
  setup: { words: '', runs: ['collab doctor', 'collab init'] },
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
    const { code, denied, toolResults } = await plugin.claude({
      prompt: `/collab:${name} ${words}`.trim(),
      through: 'path',
      allow: [],
      script: inTurn([...runs.map((command) => bash(command)), { text: 'Done.' }]),
    });
    expect({ code, denied }).toEqual({ code: 0, denied: [] });
    expect(toolResults).toHaveLength(runs.length);
    const request = plugin.claudeModel.requests[before]?.text ?? '';
    const [, body = ''] = readFileSync(join(folder, `${name}.md`), 'utf8').split(/\n---\n\n/);
    const sent = JSON.stringify(body.trim().replaceAll('$ARGUMENTS', words));
    expect(request).toContain(sent.slice(1, -1).slice(0, 150));
  },
);

test.each([
  ['review', ['touch made', 'collab review --plan && touch made', 'collab clean --all']],
  ['setup', ['collab init --allow', 'collab review']],
])('/collab:%s permits nothing else', { timeout: 60_000 }, async (name, others) => {
  const { denied } = await plugin.claude({
    prompt: `/collab:${name}`,
    through: 'path',
    allow: [],
    script: inTurn([...others.map((command) => bash(command)), { text: 'Done.' }]),
  });
  expect(denied).toEqual(others);
  expect(existsSync(join(plugin.project, '.claude/settings.json'))).toBe(false);
  expect(existsSync(join(plugin.project, 'made'))).toBe(false);
});

test(
  'a review in the background ends with a notice that has its exit code and nothing of its report',
  { timeout: 180_000 },
  async () => {
    writeFileSync(join(plugin.project, 'src/late.ts'), 'export const late = 1;\n');
    plugin.codexModel.play(
      inOrder({ text: criticalReview('src/late.ts', 'export const late = 1;', 'Late is no number') }),
    );
    const before = plugin.claudeModel.requests.length;
    const session = await plugin.claude({
      prompt: '/collab:review',
      through: 'path',
      allow: [],
      script: inTurn([
        bash('collab review --detach'),
        bash('collab wait latest --timeout 110m', {
          run_in_background: true,
          description: 'collab wait latest',
        }),
        { text: 'It runs in the background.' },
        { text: 'Done.' },
      ]),
    });
    expect(session).toMatchObject({ code: 0, denied: [] });
    const requests = plugin.claudeModel.requests.slice(before).map(({ text }) => text);
    expect(requests).toHaveLength(4);
    // A Critical finding needs a second opinion: the run waits for the caller.
    expect(requests[3]).toMatch(/<summary>[^<]*collab wait latest[^<]* exit code 10<\/summary>/);
    expect(requests.join('\n')).not.toContain('Late is no number');
  },
);

function inTurn(steps: readonly MessageStep[]): () => MessageStep {
  let next = 0;
  return () => steps[Math.min(next++, steps.length - 1)] ?? { text: 'Done.' };
}

function bash(command: string, more: Readonly<Record<string, unknown>> = {}): MessageStep {
  return { tools: [{ name: 'Bash', input: { command, description: 'collab', ...more } }] };
}
