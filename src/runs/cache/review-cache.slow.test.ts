import { readdirSync, readFileSync, statSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkLaws } from '../../events/laws.ts';
import { rehearse, settledResult, smallDiff, wholeAnswer } from '../rehearsed-review.test-helper.ts';

const answered = [{ answer: wholeAnswer, repeat: 'forever' }] as const;

/** A second review in the folder of the first. */
async function twice(
  first: Parameters<typeof rehearse>[0],
  second: Partial<Parameters<typeof rehearse>[0]> = {},
  between: (cwd: string) => void = () => {},
) {
  const former = await rehearse(first);
  const formerResult = settledResult(await former.drive());
  const formerCalls = former.calls().length;
  between(former.cwd);
  const review = await rehearse({ ...first, ...second, cwd: former.cwd });
  const result = settledResult(await review.drive());
  return { former, formerResult, review, result, calls: review.calls().slice(formerCalls) };
}

function entries(cwd: string): readonly string[] {
  const folder = join(cwd, '.collab/cache');
  return readdirSync(folder).map((name) => join(folder, name));
}

test('a review of the same lines makes no call, has the same outcome, and names the source of the answer', async () => {
  const { formerResult, review, result, calls } = await twice({ turns: answered });
  expect(calls).toEqual([]);
  const { run_id, outcome, findings, strengths, coverage } = formerResult;
  expect(result).toMatchObject({ outcome, findings, strengths, exit_code: 0 });
  const cached = { run_id, answered_at: expect.any(String) };
  expect(result.exchanges).toMatchObject([{ cached, attempts: [{ prompt_bytes: 0, duration_ms: 0 }] }]);
  expect(result.usage).toMatchObject({ input: 0, output: 0 });
  const receipts = coverage.files.map((file) => ({
    ...file,
    receipts: file.receipts.map((receipt) => ({ ...receipt, cached })),
  }));
  expect(result.coverage).toEqual({ ...coverage, files: receipts });
  const sent = review.journal().filter(({ type }) => type === 'exchange.sent');
  expect(sent).toMatchObject([{ cached }]);
  expect(checkLaws(review.journal())).toEqual([]);
});

test('a resumed run keeps the answer that it took from the cache', async () => {
  const { review, result, former } = await twice({ turns: answered });
  for (const file of entries(former.cwd)) writeFileSync(file, 'gone');
  expect({ ...settledResult(await review.drive()), ended_at: null }).toEqual({ ...result, ended_at: null });
});

describe('another question is sent again', () => {
  test.each<[string, Partial<Parameters<typeof rehearse>[0]>]>([
    ['other lines', { diff: smallDiff.replace('Math.round', 'Math.floor') }],
    [
      'the same lines elsewhere in the file',
      { diff: smallDiff.replace('@@ -1,2 +1,3 @@', '@@ -9,2 +9,3 @@') },
    ],
    ['another focus', { settings: { focus: 'rounding' } }],
    ['other instructions', { settings: { instructions: 'Be strict.' } }],
    ['another language', { settings: { language: 'ja' } }],
    ['an advisor that answers otherwise', { turns: [{ answer: wholeAnswer.replace('Small', 'Tiny') }] }],
    ['--no-cache', { settings: { cache: false } }],
  ])('%s', async (_what, second) => {
    const { calls, result } = await twice({ turns: answered }, second);
    expect(calls.length).toBeGreaterThan(0);
    expect(result.exchanges[0]).not.toHaveProperty('cached');
  });

  test('static checks are not cached, because they cost nothing', async () => {
    const review = await rehearse({ turns: [], advisor: 'static_review' });
    await review.drive();
    expect(() => entries(review.cwd)).toThrow('ENOENT');
  });
});

test('other files of the change do not change the key of a chunk', async () => {
  const other = smallDiff.replaceAll('total.ts', 'other.ts');
  const { calls, result } = await twice(
    { turns: answered },
    { diff: smallDiff + other.replace('Math', 'Other'), settings: { chunk_tokens: 60 } },
  );
  expect(result.exchanges.map(({ cached }) => cached !== undefined)).toEqual([true, false]);
  expect(calls).toHaveLength(2);
});

test('an unsettled exchange is sent again', async () => {
  const { calls } = await twice({ turns: [{ fault: 'unavailable', code: 'quota', repeat: 'forever' }] });
  expect(calls.length).toBeGreaterThan(0);
});

test('an answer in several parts is stored as one', async () => {
  const part = wholeAnswer.slice(0, wholeAnswer.indexOf('## SUGGESTIONS'));
  const rest = '[RESPONSE:REVIEW]\n\n## SUGGESTIONS\n\n- Name the currency.\n';
  const { calls, formerResult, result } = await twice({
    turns: [
      { answer: part, when: { attempt: 1 }, repeat: 'forever' },
      { answer: rest, repeat: 'forever' },
    ],
  });
  expect(formerResult.exchanges[0]?.attempts).toHaveLength(2);
  expect(calls).toEqual([]);
  expect(result).toMatchObject({ strengths: ['Small.'], suggestions: ['Name the currency.'] });
});

describe('a modified entry is ignored, reported and requested again', () => {
  test.each<[string, (text: string) => string, string]>([
    ['cut', (text) => text.slice(0, 40), 'the cached answer cannot be read'],
    [
      'edited by hand',
      (text) => text.replace('Small.', 'Harmless.'),
      'the cached answer was not written by this user',
    ],
  ])('%s', async (_how, spoil, fault) => {
    const { calls, review } = await twice({ turns: answered }, {}, (cwd) => {
      for (const file of entries(cwd)) writeFileSync(file, spoil(readFileSync(file, 'utf8')));
    });
    expect(calls).toHaveLength(2);
    const sent = review.journal().filter(({ type }) => type === 'exchange.sent');
    expect(sent).toMatchObject([{ cache_fault: fault }]);
  });

  test('with a foreign signature: a repository cannot supply its own answers', async () => {
    const first = { turns: answered, env: { COLLAB_CACHE_KEY: 'one pipeline word' } };
    const { calls } = await twice(first, { env: { COLLAB_CACHE_KEY: 'another pipeline word' } });
    expect(calls).toHaveLength(2);
    expect((await twice(first)).calls).toEqual([]);
  });
});

test('entries are private to the user, and nothing is written through a link', async () => {
  const review = await rehearse({ turns: answered });
  await review.drive();
  expect(entries(review.cwd).map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  const linked = await rehearse({ turns: answered });
  mkdirSync(join(linked.cwd, 'elsewhere'));
  symlinkSync('../elsewhere', join(linked.cwd, '.collab/cache'));
  expect(settledResult(await linked.drive()).outcome).toBe('clean');
  expect(readdirSync(join(linked.cwd, 'elsewhere'))).toEqual([]);
});
