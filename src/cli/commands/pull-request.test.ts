/** publish and comment, on a pull request of a GitHub in this process. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGithubPull } from '../../../test/forge/github-pull.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { fixOf, head, oneLine, onLog, till } from '../../forge/commands/fix-finding.test-helper.ts';
import { diffOf, headOf, roundResult } from '../../forge/round/rounds.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { collab } from '../command.test-helper.ts';

/** A pull request, and a folder with the result of its review. */
async function world(draft = false) {
  const files = { 'src/till.ts': till };
  const pull = await startGithubPull({
    head: headOf(1),
    diff: diffOf(files),
    files: head,
    pageSize: 50,
    draft,
  });
  onTestFinished(() => pull.close());
  const root = scratchFolder();
  const env: Record<string, string> = { ...pull.env, HOME: root, GITHUB_REPOSITORY: 'shop/till' };
  const result = roundResult(files, [{ ...onLog, severity: 'important' }]);
  writeFileSync(
    join(root, 'result.json'),
    JSON.stringify({ ...result, input: { ...result.input, head: headOf(1) } }),
  );
  const clock = createManualClock();
  return {
    pull,
    root /** A file is one of the folder. */,
    call: (...args: readonly string[]) =>
      collab(
        { root, env },
        args.map((word) => (/\.json$|^output$/.test(word) ? join(root, word) : word)),
        { clock },
      ),
  };
}

test('publish brings a result to its pull request, and with --skip-drafts to none that is a draft', async () => {
  const { pull, call } = await world();
  const { code, out, err } = await call('publish', 'result.json', 'pr:7');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    /^shop\/till#7, round 1: .*\nhttps:\/\/github\.example\/shop\/till\/pull\/7#comment-\d+\n$/,
  );
  expect(pull.comments().length).toBeGreaterThan(0);
  const draft = await world(true);
  expect((await draft.call('publish', 'result.json', 'pr:7')).out).toMatch(/^shop\/till#7, round 1: /);
  const skipped = await world(true);
  expect(await skipped.call('publish', 'result.json', 'pr:7', '--skip-drafts')).toEqual({
    code: 0,
    out: 'nothing is published on shop/till#7: it is a draft\n',
    err: '',
  });
});

test('comment announces what the next job must do in the files that flags name', async () => {
  const { pull, root, call } = await world();
  await call('publish', 'result.json', 'pr:7');
  const asked = `issuecomment-${pull.say('/collab review', 'anna')}`;
  const { code, out, err } = await call('comment', 'pr:7', asked, '--output', 'output');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`^shop/till#7: a review of ${headOf(1)} is to begin \\(GitHub .*\\)\n$`));
  expect(readFileSync(join(root, 'output'), 'utf8')).toMatch(/^action=review\n/);
  const fixing = `issuecomment-${pull.say('/collab fix 1', 'anna')}`;
  const fix = await call('comment', 'pr:7', fixing, '--output', 'output', '--finding', 'finding.json');
  expect([fix.code, existsSync(join(root, 'finding.json'))]).toEqual([0, true]);
  expect(readFileSync(join(root, 'output'), 'utf8')).toMatch(/\naction=fix\n/);
  writeFileSync(join(root, 'fix.json'), JSON.stringify(fixOf(oneLine)));
  const published = await call('comment', 'pr:7', fixing, '--fix', 'fix.json');
  expect([published.code, published.out]).toEqual([0, expect.stringMatching(/^shop\/till#7: .*F1.*\n/)]);
});
