/** The real Codex, the real Claude Code and an API with a model that writes without end: collab stops the answer while it streams. */
import { expect, test } from 'vitest';
import { maxAnswerBytes, stoppedAtLimit } from '../../../src/parsers/markdown/answer-size.ts';
import { wholeAnswer } from '../../fixtures/review-answers.ts';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { inOrder } from '../../upstream/steps.ts';
import { startPairWorld } from '../pair/pair-user.ts';

const world = await startPairWorld();

/** Ends the run, as `time_spent`, if nothing stops the answer. */
const timeLimit = ['--time-limit', '45s'];

test.each([
  ['codex', world.codex],
  ['claude_code', world.claude],
  ['anthropic:claude-scripted', world.claude],
])('an endless answer of %s is stopped at 256 KiB', { timeout: 120_000 }, async (advisor, upstream) => {
  const folder = world.repository();
  folder.write('src/rate.ts', 'export const rate = 20;\n');
  world.codex.play(inOrder({ text: wholeAnswer, endless: true }));
  world.claude.play(messagesInOrder({ text: wholeAnswer, endless: true }));
  const before = upstream.requests.length;
  const ended = await folder.pair('review', '--advisor', advisor, '--lead', 'none', ...timeLimit);
  const { outcome, reasons } = folder.result();
  expect([outcome, reasons[0]]).toEqual([
    'incomplete',
    'protocol_exhausted: the advisor did not answer in the agreed form (chunk-1); the answer was stopped: it grew beyond 256 KiB',
  ]);
  expect(ended).toMatchObject({ code: 3, stdout: expect.stringContaining('it grew beyond 256 KiB') });
  expect(upstream.requests).toHaveLength(before + 1);
  const events = folder.events();
  const texts = events.flatMap((event) => (event.type === 'text.delta' ? [event.text] : []));
  expect(Buffer.byteLength(texts.join(''))).toBe(maxAnswerBytes);
  const stops = events.flatMap((event) => (event.type === 'turn.ended' ? [event.stop_reason] : []));
  expect(stops).toEqual([stoppedAtLimit]);
  // The upstream only ends an endless answer when its connection is closed.
  await world.nothingLeft();
});
