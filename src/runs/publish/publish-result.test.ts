import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { startGithubPull, type GithubPullOptions } from '../../../test/forge/github-pull.ts';
import { diffOf, headOf, roundResult } from '../../forge/round/rounds.test-helper.ts';
import { systemClock } from '../../system/clock.ts';
import { sha256 } from '../../text/digest.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { publishResult } from './publish-result.ts';

const files = { 'a.ts': ['const one = 1;'] };

test('the result is read once, through a link, too: the evidence has the digest of what was read', async () => {
  const { pull, cwd, text, publish } = await world();
  symlinkSync('result.json', join(cwd, 'review.json'));
  await publish(join(cwd, 'review.json'));
  expect(pull.checks()).toMatchObject([{ external_id: sha256(text), conclusion: 'success' }]);
});

test.each<[string, Partial<GithubPullOptions>, string]>([
  ['a newer head', { head: headOf(2) }, 'it has another head than the reviewed one'],
  ['a draft', { draft: true }, 'it is a draft'],
])('nothing is published on %s, and the line says so', async (_title, more, why) => {
  const { pull, publish } = await world(more);
  expect(await publish()).toBe(`nothing is published on shop/till#7: ${why}\n`);
  expect(pull.comments()).toEqual([]);
});

test.each<[string, Partial<GithubPullOptions>, string]>([
  ['a check', {}, 'a check run proves it'],
  ['a status', { rights: { checks: false } }, 'a commit status proves it'],
  [
    'nothing',
    { rights: { checks: false, statuses: false } },
    'the token may write neither a check run nor a commit status',
  ],
])('the line names the round, and that %s proves it', async (_title, more, proof) => {
  const { publish } = await world(more);
  expect(await publish()).toMatch(
    new RegExp(
      `^shop/till#7, round 1: .*; ${proof} \\(GitHub .*\\)\nhttps://github.example/shop/till/pull/7#comment-\\d+\n$`,
    ),
  );
});

test('a review of a diff is published only on a pull request with this diff', async () => {
  const digest = sha256(diffOf(files));
  const same = await world({}, { kind: 'stdin', base: null, head: null, digest });
  expect(await same.publish()).toMatch(/^shop\/till#7, round 1: /);
  const other = await world({}, { kind: 'stdin', base: null, head: null, digest: 'd' });
  expect(await other.publish()).toBe(
    'nothing is published on shop/till#7: its change is not the reviewed one\n',
  );
});

test('a short key is refused before anything is read', async () => {
  const { publish, place } = await world();
  place.env['COLLAB_CACHE_KEY'] = 'short';
  expect(await refusalOf(publish())).toMatchObject({
    code: 'usage',
    message: expect.stringContaining('COLLAB_CACHE_KEY'),
  });
});

/** A review of `a.ts` without findings, and its pull request. */
async function world(more: Partial<GithubPullOptions> = {}, input: Partial<ReviewResult['input']> = {}) {
  const pull = await startGithubPull({ head: headOf(1), diff: diffOf(files), ...more });
  onTestFinished(() => pull.close());
  const cwd = scratchFolder();
  const file = join(cwd, 'result.json');
  const result = roundResult(files, []);
  const text = JSON.stringify({ ...result, input: { ...result.input, head: headOf(1), ...input } });
  writeFileSync(file, text);
  const env: Record<string, string> = { ...pull.env };
  const place = { cwd, env, clock: systemClock, signal: new AbortController().signal };
  const words = `${pull.url}/shop/till/pull/7`;
  const publish = (named = file) => publishResult({ file: named, words, skipDrafts: true }, place);
  return { pull, place, cwd, text, publish };
}
