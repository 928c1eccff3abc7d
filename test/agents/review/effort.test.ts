/** The efforts of a review on the real Codex. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { change, cleanAnswer, verdict, wholeAnswer } from '../../fixtures/review-answers.ts';
import { processesNaming } from '../../setup/process-table.ts';
import type { Script } from '../../upstream/steps.ts';
import { createReviewWorld, type ReviewWorld } from './review-user.ts';

let review: ReviewWorld;

beforeAll(async () => {
  review = await createReviewWorld();
});
afterEach(() => review.nothingLeft());
afterAll(() => review.close());

/** One lens finds something, which the check confirms. */
const script: Script = ({ lastInput }) => {
  if (lastInput.includes('[RESPONSE:FINDING]')) return { text: verdict('confirm', 'None') };
  return { text: lastInput.includes('This pass is about security') ? wholeAnswer : cleanAnswer };
};

test('a deep review asks in a thread of one server for each lens, what was missed and each check', async () => {
  const servers = new Set<number>();
  review.upstream.play((request) => {
    const running = processesNaming(review.world.root).filter(({ command }) =>
      / app-server .*default_permissions/.test(command),
    );
    for (const { pid } of running) servers.add(pid);
    return script(request);
  });
  const before = review.upstream.requests.length;
  const folder = review.folder();
  folder.write('change.diff', change);
  const planned = await folder.run('review', 'change.diff', '--effort', 'deep', '--plan');
  expect(planned.stdout).toContain('--effort deep: 5 to 16 calls');
  expect(review.upstream.requests.length).toBe(before);

  expect((await folder.run('review', 'change.diff', '--effort', 'deep')).code).toBe(1);
  const result = folder.result();
  expect(result).toMatchObject({
    outcome: 'findings',
    second_opinion: { state: 'given', by: 'advisor' },
    effort: { level: 'deep', calls: { least: 5, most: 16 }, usd: null },
    findings: [{ path: 'src/total.ts', start_line: 4, verdict: 'confirmed', judged_by: 'advisor' }],
  });
  expect(result.exchanges.map(({ id }) => id)).toEqual([
    'ex_chunk-1-contract',
    'ex_chunk-1-correctness',
    'ex_chunk-1-data',
    'ex_chunk-1-missed-1',
    'ex_chunk-1-security',
  ]);
  const threads = folder.events().flatMap((event) => (event.type === 'step.bound' ? [event.session_id] : []));
  const used = result.usage_by.reduce((sum, { calls }) => sum + calls, 0);
  expect(used).toBeGreaterThanOrEqual(result.effort?.calls.least ?? Infinity);
  expect(used).toBeLessThanOrEqual(result.effort?.calls.most ?? 0);
  const requests = review.upstream.requests.length - before;
  expect([new Set(threads).size, requests, servers.size]).toEqual([6, 6, 1]);
});

test('a review checks its finding by default', async () => {
  review.upstream.play(({ lastInput }) =>
    lastInput.includes('[RESPONSE:FINDING]')
      ? { text: verdict('reject', '`src/total.ts:3`\n```\n  for (const price of prices) sum += price;\n```') }
      : { text: wholeAnswer },
  );
  const folder = review.folder();
  folder.write('change.diff', change);
  const before = review.upstream.requests.length;
  // The script leaves out the closing line of the rejection, which therefore does not count.
  expect((await folder.run('review', 'change.diff', '--effort', 'standard')).code).toBe(1);
  expect(folder.result()).toMatchObject({ outcome: 'findings', findings: [{ verdict: 'unverified' }] });
  expect(review.upstream.requests.slice(before)).toHaveLength(3);
});
