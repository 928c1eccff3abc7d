import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createToolPolicy } from '../../loop/tool-policy.ts';
import { systemClock } from '../../system/clock.ts';
import { turnLimits } from '../../config/waits.ts';
import { createBudget, noLimits } from '../calls/budget.ts';
import { openAnswerer } from './open-answerer.ts';
import { createConversationFolder } from './store.ts';

test.each([
  ['caller', 'the caller cannot lead a conversation, only runs'],
  ['codex', 'codex cannot lead a conversation'],
  ['nobody', 'there is no provider "nobody"'],
])('%s is refused as the lead of a conversation', async (provider, message) => {
  const cwd = scratchFolder();
  const { signal } = new AbortController();
  const opening = openAnswerer(
    { provider, model: null },
    {
      environment: { env: { HOME: cwd }, cwd, settings: {}, signal },
      folder: createConversationFolder(cwd, systemClock),
      tools: [],
      policy: createToolPolicy({ rules: {}, approve: null }),
      limits: turnLimits,
      repeats: { most: 0, waitsMs: [], longestMs: 0 },
      clock: systemClock,
      language: null,
      budget: createBudget(noLimits),
    },
  );
  await expect(opening).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
});
