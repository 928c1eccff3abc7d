import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { startGithubPull } from '../../../test/forge/github-pull.ts';
import { fixOf, head, oneLine, onLog, till } from '../../forge/commands/fix-finding.test-helper.ts';
import { diffOf, headOf, roundResult } from '../../forge/round/rounds.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { readReviewResultFile } from '../folder/named-result.ts';
import { carryOutComment, type CommentRequest } from './carry-out-comment.ts';
import { publishResult } from './publish-result.ts';

/** A pull request with a published review that found F1, and a folder for the files of the command. */
async function world() {
  const files = { 'src/till.ts': till };
  const pull = await startGithubPull({ head: headOf(1), diff: diffOf(files), files: head, pageSize: 50 });
  onTestFinished(() => pull.close());
  const cwd = scratchFolder();
  const env: Record<string, string> = { ...pull.env, GITHUB_REPOSITORY: 'shop/till' };
  const place = { cwd, env, clock: createManualClock(), signal: new AbortController().signal };
  const result = roundResult(files, [{ ...onLog, severity: 'important' }]);
  const file = join(cwd, 'result.json');
  writeFileSync(file, JSON.stringify({ ...result, input: { ...result.input, head: headOf(1) } }));
  await publishResult({ file, words: 'pr:7', skipDrafts: false }, place);
  const [output, finding] = [join(cwd, 'output'), join(cwd, 'finding.json')];
  return {
    pull,
    place,
    finding,
    outputOf: () => (existsSync(output) ? readFileSync(output, 'utf8') : null),
    /** A person writes a comment, and the command in it is carried out. */
    says: async (body: string, more: Partial<CommentRequest> = {}) => {
      const comment = `issuecomment-${pull.say(body, 'anna')}`;
      return carryOutComment({ words: '7', comment, output, finding, fix: null, ...more }, place);
    },
  };
}

test('a review is announced to the next job with its commits', async () => {
  const { says, outputOf, finding } = await world();
  expect(await says('/collab review')).toMatch(
    new RegExp(`^shop/till#7: a review of ${headOf(1)} is to begin \\(GitHub .*\\)\n$`),
  );
  expect(outputOf()).toMatch(new RegExp(`^action=review\nbase=[0-9a-f]{40}\nhead=${headOf(1)}\n$`));
  expect(existsSync(finding)).toBe(false);
  expect(await says('/collab review', { output: null })).toContain('is to begin');
});

test('a dismissal needs no further job', async () => {
  const { says, outputOf } = await world();
  expect(await says('/collab dismiss 1 masked by the bank')).toMatch(/: F1 is dismissed \(/);
  expect(outputOf()).toBeNull();
});

test('a comment without a command, and a refused command, are reported', async () => {
  const { says } = await world();
  expect(await says('Nice.')).toMatch(/^shop\/till#7: nothing is done: /);
  expect(await says('/collab dismiss 9 no such finding')).toMatch(/^shop\/till#7: answered: .*9/);
});

describe('a fix', () => {
  test('is announced with its finding as a result that collab fix reads', async () => {
    const { says, outputOf, finding } = await world();
    expect(await says('/collab fix 1')).toMatch(/: a fix of F1 is to begin \(/);
    expect(outputOf()).toMatch(/^action=fix\nbase=.*\nhead=.*\nfinding=F1\n$/);
    expect(readReviewResultFile(finding)).toMatchObject({
      state: 'ended',
      outcome: 'findings',
      reasons: [],
      input: { kind: 'range', head: headOf(1) },
      findings: [{ id: 'F1', path: 'src/till.ts', start_line: 2 }],
      exit_code: 1,
    });
  });

  test('without a file for its finding is refused before anything is announced', async () => {
    const { says, outputOf } = await world();
    expect(await refusalOf(says('/collab fix 1', { finding: null }))).toEqual({
      code: 'usage',
      message: 'the comment asks for a fix, and no file is named for its finding',
      hint: 'Name one: --finding finding.json',
    });
    expect(outputOf()).toBeNull();
  });

  test('that another job made is published', async () => {
    const { says, place, pull } = await world();
    const fix = join(place.cwd, 'fix.json');
    writeFileSync(fix, JSON.stringify(fixOf(oneLine)));
    expect(await says('/collab fix 1', { fix })).toMatch(/: the fix of F1 is a suggestion \(/);
    expect(pull.threads()).toHaveLength(2);
  });

  test('whose job left no file is answered, and a foreign file is refused', async () => {
    const { says, place } = await world();
    const fix = join(place.cwd, 'fix.json');
    expect(await says('/collab fix 1', { fix })).toMatch(/: answered: /);
    writeFileSync(fix, '{"schema":"other"}');
    expect(await refusalOf(says('/collab fix 1', { fix }))).toMatchObject({
      code: 'result_file',
      message: `${fix} is not the result of collab fix --result`,
    });
  });
});

test.each(['main', 'branch:main', '-'])('%s names no pull request', async (words) => {
  const { says } = await world();
  expect(await refusalOf(says('/collab review', { words }))).toEqual({
    code: 'usage',
    message: `"${words}" names no pull request`,
    hint: 'write pr:<number>, or the address of its page',
  });
});

test('a short key is refused, and the marks of another key do not count', async () => {
  const { says, place } = await world();
  place.env['COLLAB_CACHE_KEY'] = 'short';
  expect(await refusalOf(says('/collab review'))).toMatchObject({
    code: 'usage',
    message: expect.stringContaining('COLLAB_CACHE_KEY'),
  });
  place.env['COLLAB_CACHE_KEY'] = 'a'.repeat(64);
  expect(await says('/collab dismiss 1 masked by the bank')).toMatch(/: answered: /);
});
