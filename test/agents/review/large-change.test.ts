/** The real Codex reviews 3,000 lines in 60 files, with a model that answers when the test allows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { cleanAnswer, largeAnswer } from '../../fixtures/review-answers.ts';
import { Deferred } from '../../../src/system/deferred.ts';
import type { Script } from '../../upstream/steps.ts';
import { createReviewWorld, type ReviewWorld, type WorkFolder } from './review-user.ts';

const change = readFileSync(join(import.meta.dirname, '../../fixtures/changes/large.diff'), 'utf8');

let review: ReviewWorld;

beforeAll(async () => {
  review = await createReviewWorld();
});
afterEach(() => review.nothingLeft());
afterAll(() => review.close());

test('the model gets exactly --concurrency parallel requests, and never more', async () => {
  const { upstream } = review;
  const folder = largeFolder();
  const planned = await folder.run('review', 'change.diff', '--plan');
  const chunks = planned.stdout.match(/^chunk-\d+: /gm)?.length ?? 0;
  expect(chunks).toBeGreaterThan(6);

  const gates = Array.from({ length: chunks }, () => new Deferred<null>());
  const open: number[] = [];
  const before = upstream.requests.length;
  upstream.play(({ index }) => {
    open.push(upstream.openTurns());
    const gate = gates[index - before];
    return { text: cleanAnswer, ...(gate === undefined ? {} : { gate: gate.promise }) };
  });
  const { ended } = folder.start('review', 'change.diff', '--concurrency', '3', '--no-cache');
  for (const [released, gate] of gates.entries()) {
    await upstream.untilRequests(before + Math.min(released + 3, chunks));
    // The released answer was sent, and the next request has arrived.
    await expect.poll(() => upstream.openTurns()).toBe(Math.min(3, chunks - released));
    gate.resolve(null);
  }
  // The model finds nothing, but the findings of rules in this change count.
  expect((await ended).code).toBe(1);
  expect(folder.result().findings.every(({ source }) => source?.startsWith('rule:'))).toBe(true);
  expect(upstream.requests.length - before).toBe(chunks);
  expect(Math.max(...open)).toBeLessThanOrEqual(3);
  expect(folder.result().coverage).toMatchObject({ lines_changed: 3000, lines_reviewed: 3000 });
});

test('one failed chunk: exit 3, its files are named, the others keep their findings; the rest is not requested again', async () => {
  const { upstream } = review;
  const folder = largeFolder();
  const before = upstream.requests.length;
  upstream.play(failing('export interface GuardianStore'));
  const first = await folder.run('review', 'change.diff');
  expect(first.code).toBe(3);
  const { outcome, coverage, findings, exchanges } = folder.result();
  expect(outcome).toBe('incomplete');
  const failed = coverage.files.filter(({ status }) => status === 'failed').map(({ path }) => path);
  expect(failed).toContain('src/guardian/guardian-store.ts');
  for (const path of failed) expect(first.stdout).toContain(path);
  const ofModel = { title: 'A query is put together', path: 'src/bed/bed-store.ts', start_line: 20 };
  expect(findings).toContainEqual(expect.objectContaining({ ...ofModel, placement: 'exact' }));

  const asked = upstream.requests.length;
  expect(asked - before).toBeGreaterThanOrEqual(exchanges.length);
  upstream.play(failing('no chunk holds this'));
  const second = await folder.run('review', 'change.diff', '--format', 'json');
  expect(upstream.requests.length - asked).toBe(1);
  expect(upstream.requests.at(-1)?.text).toContain('export interface GuardianStore');
  expect(JSON.parse(second.stdout)).toMatchObject({
    outcome: 'findings',
    coverage: { lines_reviewed: 3000 },
    findings: expect.arrayContaining([expect.objectContaining(ofModel)]),
  });
});

/** Answers requests that contain the text with a permanent error, and one chunk with a finding. */
function failing(text: string): Script {
  return (request) => {
    if (request.text.includes(text)) {
      return {
        status: 401,
        body: { error: { message: 'not for you', type: 'auth', code: 'invalid_api_key' } },
      };
    }
    return { text: request.text.includes('export interface BedStore') ? largeAnswer : cleanAnswer };
  };
}

function largeFolder(): WorkFolder {
  const folder = review.folder({ config: 'chunk_tokens: 4000\n' });
  folder.write('change.diff', change);
  return folder;
}
