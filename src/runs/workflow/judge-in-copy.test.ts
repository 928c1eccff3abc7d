import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { WorkingCopy } from '../../git/working-copy/working-copy.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';
import { judgeInCopy } from './judge-in-copy.ts';
import { performSteps } from './performed-steps.test-helper.ts';

function anchored(id: string, line: string, path: string | null) {
  return finding({ id, identity: id, path, quote: line, anchor: { line, symbol: null, ordinal: 1 } });
}

test('a fix is judged by its file in the copy, as a step that knows the tree and the answers', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'a.ts'), 'const one = 1;\n');
  const chosen = [
    anchored('F1', 'const two = 2;', 'a.ts'),
    anchored('F2', 'const one = 1;', 'a.ts'),
    anchored('F3', 'const one = 1;', 'gone.ts'),
    anchored('F4', 'const one = 1;', null),
  ];
  const { context, steps } = performSteps();
  const pass = { phase: 'review', round: 2 } as const;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the folder is read
  const copy = { folder } as WorkingCopy;
  const input = { ...pass, tree: 't1', chosen, answers: [], reported: [] };
  const judged = await judgeInCopy(context, { copy }, input);
  expect(judged.map(({ id, fate }) => [id, fate])).toEqual([
    ['F1', 'fixed'],
    ['F2', 'unanswered'],
    ['F3', 'fixed'],
    ['F4', 'unanswered'],
  ]);
  expect(steps).toEqual([['review/2/judge', { tree: 't1', answers: [] }, {}]]);
});
