/** The real Claude Code as the advisor of a whole `collab review`: the packed command, a repository, a scripted model. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../../src/version.ts';
import { answer, cleanAnswer, strengths, suggestions } from '../../fixtures/review-answers.ts';
import { messagesInOrder, type MessagesScript, type MessagesStep } from '../../upstream/messages-steps.ts';
import { byWords, reads } from '../pair/pair-scripts.ts';
import { copyIn, startPairWorld } from '../pair/pair-user.ts';

const world = await startPairWorld();

const files = {
  'src/rate.ts': '// Every sum has cents.\nexport const rate = 19;\n',
  'src/total.ts': 'export const one = 1;\nexport const total = (net: number) => net;\n',
};
const changed = 'export const total = (net: number) => Math.round(net);';

async function reviewed(script: MessagesScript, env: Readonly<Record<string, string>> = {}) {
  const folder = world.repository({ files, env });
  folder.write('src/total.ts', `export const one = 1;\n${changed}\n`);
  world.claude.play(script);
  const before = world.claude.requests.length;
  const ended = await folder.pair('review', '--advisor', 'claude_code', '--lead', 'none');
  return { ended, result: () => folder.result(), sent: world.claude.requests.slice(before) };
}

test('an answer without a finding ends clean, and Codex is not called', async () => {
  const { ended, result, sent } = await reviewed(messagesInOrder({ text: cleanAnswer }));
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('clean') });
  expect(result()).toMatchObject({
    collab_version: version,
    outcome: 'clean',
    assurance: 'model',
    advisor: { provider: 'claude_code', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    coverage: { files_changed: 1, lines_changed: 2, lines_reviewed: 2 },
    findings: [],
    usage_by: [{ agent: 'advisor', provider: 'claude_code' }],
    exit_code: 0,
  });
  expect(sent).toHaveLength(1);
  expect(world.codex.requests).toEqual([]);
});

test('a finding that it makes after reading another file is placed at its line', async () => {
  const { ended, result, sent } = await reviewed(
    byWords<MessagesStep>([
      ['Every sum has cents', { text: answer(strengths, centsAreLost, suggestions) }],
      ['[REQUEST:REVIEW]', (request) => ({ tools: [reads(join(copyIn(request), 'src/rate.ts'))] })],
    ]),
  );
  expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining('src/total.ts:2') });
  expect(result()).toMatchObject({
    outcome: 'findings',
    findings: [
      {
        severity: 'critical',
        title: 'Cents are lost',
        path: 'src/total.ts',
        start_line: 2,
        end_line: 2,
        side: 'new',
        quote: expect.stringContaining(changed),
      },
    ],
    exit_code: 1,
  });
  expect(sent).toHaveLength(2);
});

const centsAreLost = `## ISSUES
### Critical
1. **Cents are lost** — \`src/total.ts:77\`
   \`\`\`
   ${changed}
   \`\`\`
   Why: it rounds.
   Fix: do not.
`;

test.each<[string, number, MessagesStep, Readonly<Record<string, string>>]>([
  ['a key that is refused', 1, { status: 401 }, {}],
  ['a missing login', 0, { text: cleanAnswer }, { ANTHROPIC_API_KEY: '' }],
])('%s ends as failed with the remedy; requests to the model: %i', async (_name, requests, step, env) => {
  const { ended, result, sent } = await reviewed(messagesInOrder(step), env);
  expect(ended).toMatchObject({ code: 4, stdout: expect.stringContaining('/login') });
  expect(result()).toMatchObject({ state: 'ended', outcome: 'failed', findings: [], exit_code: 4 });
  expect(sent).toHaveLength(requests);
});
