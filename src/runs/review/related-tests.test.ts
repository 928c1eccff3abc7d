import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samplePrivateKey } from '../../../test/fixtures/sample-secrets.ts';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import type { ContextLevel } from '../../parsers/diff/widen-change.ts';
import { reviewOptions } from '../review-options.test-helper.ts';
import { prepareReview, takeChange } from './prepare.ts';

function repositoryWithTests() {
  const repository = scratchRepository();
  const { write, commit, root } = repository;
  for (const name of ['one', 'two', 'three', 'four']) write(`src/${name}.ts`, `export const ${name} = 1;\n`);
  write('src/one.test.ts', 'one test\n');
  write('src/two.test.ts', 'two test\n');
  write('src/three.test.ts', `three ${samplePrivateKey().text}\n`);
  write('secret.txt', 'a file outside\n');
  symlinkSync('../secret.txt', join(root, 'src/four.test.ts'));
  write('src/other.test.ts', 'other test\n');
  commit('base');
  for (const name of ['one', 'two', 'three', 'four']) write(`src/${name}.ts`, `export const ${name} = 2;\n`);
  write('src/two.test.ts', 'two test, changed\n');
  return repository;
}

async function relatedIn(context: ContextLevel) {
  const { root, env } = repositoryWithTests();
  const settings = { advisor: 'static_review', context };
  const options = reviewOptions({
    cwd: root,
    env: { ...env, XDG_STATE_HOME: scratchFolder() },
    change: { kind: 'working_tree' },
    settings,
  });
  return (await prepareReview(options, await takeChange(options))).change.related;
}

test('a run keeps the tests of changed files that it does not change, masked, and follows no link', async () => {
  const related = await relatedIn('related');
  expect(related.map(({ path, of }) => [path, of])).toEqual([
    ['src/four.test.ts', 'src/four.ts'],
    ['src/one.test.ts', 'src/one.ts'],
    ['src/three.test.ts', 'src/three.ts'],
  ]);
  expect(related.find(({ path }) => path.includes('one'))?.text).toBe('one test\n');
  const all = JSON.stringify(related);
  expect(all).not.toContain('a file outside');
  expect(all).not.toContain(samplePrivateKey().text.split('\n')[1]);
});

test.each(['diff', 'functions', 'files'] as const)('with %s it keeps none', async (context) => {
  expect(await relatedIn(context)).toEqual([]);
});
