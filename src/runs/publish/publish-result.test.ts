import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { startGithubPull } from '../../../test/forge/github-pull.ts';
import { diffOf, headOf, roundResult } from '../../forge/round/rounds.test-helper.ts';
import { systemClock } from '../../system/clock.ts';
import { sha256 } from '../../text/digest.ts';
import { publishResult } from './publish-result.ts';

test('the result is read once, through a link, too: the evidence has the digest of what was read', async () => {
  const files = { 'a.ts': ['const one = 1;'] };
  const pull = await startGithubPull({ head: headOf(1), diff: diffOf(files) });
  onTestFinished(() => pull.close());
  const folder = scratchFolder();
  const result = roundResult(files, []);
  const text = JSON.stringify({ ...result, input: { ...result.input, head: headOf(1) } });
  writeFileSync(join(folder, 'result.json'), text);
  symlinkSync('result.json', join(folder, 'review.json'));
  const place = { cwd: folder, env: pull.env, clock: systemClock, signal: new AbortController().signal };
  const words = `${pull.url}/shop/till/pull/7`;
  await publishResult({ file: join(folder, 'review.json'), words, skipDrafts: false }, place);
  expect(pull.checks()).toMatchObject([{ external_id: sha256(text), conclusion: 'success' }]);
});
