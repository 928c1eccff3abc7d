/** A server keeps its start options: the agents that it names, and the cost of an answer. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../fixtures/scratch-repository.ts';
import { serveWorld } from './served-folder.ts';

test('an invalid lead or advisor is refused at the start, with the nearest one', async () => {
  await expect(serveWorld({ flags: { lead: 'claude_cod' } })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('claude_cod'),
    hint: expect.stringContaining('claude_code'),
  });
  await expect(serveWorld({ flags: { advisor: 'codx' } })).rejects.toMatchObject({
    code: 'usage',
    hint: expect.stringContaining('codex'),
  });
  await expect(serveWorld({ flags: { lead: 'static_review' } })).rejects.toMatchObject({ code: 'usage' });
});

test('the configured budget limits each answer, and the next message starts with all of it', async () => {
  const config = join(scratchFolder(), 'budget.yaml');
  writeFileSync(config, 'budget_calls: 1\n');
  const turn = { when: { work: 'converse' }, answer: 'Hello.', repeat: 'forever' };
  const { say } = await serveWorld({ flags: { config }, turns: [turn] });
  expect(
    [await say('Hello?'), await say('Hello?')].map((text) => text.includes('"status":"success"')),
  ).toEqual([true, true]);
  writeFileSync(config, 'budget_tokens: 10\n');
  const refused = await say('Hello?');
  expect(refused).toContain('"status":"error"');
  expect(refused).toContain('budget');
});
