import { expect, test } from 'vitest';
import { sampleSecrets } from '../../../test/fixtures/sample-secrets.ts';
import { readBlob } from '../../engine/journal/blobs.ts';
import {
  rehearse,
  settledResult,
  wholeAnswer,
  type RehearsedReview,
} from '../rehearsed-review.test-helper.ts';

const risky = `diff --git a/src/agent.ts b/src/agent.ts
--- a/src/agent.ts
+++ b/src/agent.ts
@@ -1,1 +1,3 @@
 import https from 'node:https';
+export const agent = new https.Agent({ rejectUnauthorized: false });
+export const key = '${sampleSecrets[3]?.secret}';
`;

function promptsOf(review: RehearsedReview): readonly string[] {
  return review
    .journal()
    .flatMap((event) =>
      event.type === 'exchange.sent' ? [readBlob(review.runFolder, event.prompt_ref)] : [],
    );
}

test('what rules find goes to a model as fenced evidence, and is no finding by itself', async () => {
  const review = await rehearse({ diff: risky, turns: [{ answer: wholeAnswer }], assurance: 'model' });
  const result = settledResult(await review.drive());
  expect(result).toMatchObject({ outcome: 'clean', findings: [] });
  const [prompt = ''] = promptsOf(review);
  expect(prompt).toMatch(
    /### From `Rules without a model: what they found, not yet judged by anybody`\n\n```text data-\w+\n- \w+, src\/agent\.ts:\d: /,
  );
  expect(prompt).toContain('src/agent.ts:2');
  expect(prompt).not.toContain(sampleSecrets[3]?.secret ?? 'a');
  const examined = review
    .journal()
    .filter((event) => event.type === 'step.ended' && event.step === 'review/rules/evidence');
  expect(examined).toMatchObject([
    { value: { fault: null, ruleSets: { 'chunk-1': expect.arrayContaining(['secret scan']) } } },
  ]);
});

test('an advisor that is no model is told nothing of it', async () => {
  const review = await rehearse({ diff: risky, turns: [{ answer: wholeAnswer }] });
  await review.drive();
  expect(promptsOf(review).join('')).not.toContain('Rules without a model');
  expect(review.journal().some(({ step }) => step === 'review/rules/evidence')).toBe(false);
});

test('a change in which rules find nothing carries no evidence', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }], assurance: 'model' });
  await review.drive();
  expect(promptsOf(review).join('')).not.toContain('Rules without a model');
});
