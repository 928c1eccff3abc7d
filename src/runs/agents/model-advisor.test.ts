import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder, twoBranches } from '../../../test/fixtures/scratch-repository.ts';
import { messagesInOrder } from '../../../test/upstream/messages-steps.ts';
import { startMessagesUpstream } from '../../../test/upstream/messages-server.ts';
import { anthropicProvider } from '../../providers/anthropic/anthropic_client.ts';
import { reviewRequest } from '../../prompts/requests.test-helper.ts';
import { turnLimits } from '../../config/waits.ts';
import { openModelAdvisor } from './model-advisor.ts';

/** Returns the body of the request that an advisor with this folder sends. */
async function sentWith(reviewFolder: string | null): Promise<string> {
  const upstream = await startMessagesUpstream(messagesInOrder({ text: '[RESPONSE:REVIEW]' }));
  onTestFinished(() => upstream.close());
  const { signal } = new AbortController();
  const stateFolder = scratchFolder();
  const advisor = await openModelAdvisor(anthropicProvider, {
    env: { PATH: process.env['PATH'] ?? '', ANTHROPIC_API_KEY: 'key-for-tests' },
    cwd: stateFolder,
    settings: { 'anthropic.base_url': upstream.url },
    signal,
    runId: 'r',
    model: null,
    stateFolder,
    reviewFolder,
    limits: turnLimits,
  });
  onTestFinished(() => advisor.close());
  await advisor.turn({
    request: reviewRequest(),
    prompt: 'go',
    callId: 'ex_chunk-1/1',
    sessionId: null,
    signal,
    emit: () => undefined,
    bind: async () => undefined,
  });
  return JSON.stringify(upstream.requests[0]?.body);
}

test('an advisor with a model reads with its tools, and the instructions name their root', async () => {
  const sent = await sentWith(twoBranches().repository.root);
  expect(sent).toContain(
    'Your tools read the repository and change nothing. Paths are relative to its root.',
  );
  expect(sent).not.toContain('no access to the repository');
});

test('without a folder the instructions say that it has no access', async () => {
  expect(await sentWith(null)).toContain(
    'You have no access to the repository: judge by what the request contains.',
  );
});
