import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { placeInProject } from './project-file.ts';
import { consultInput, fixInput, reviewInput, workflowInput } from './saved-runs.test-helper.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';

/** A repository with `a.ts`, a folder of it in which the user works, and another folder with `b.ts`. */
function world() {
  const [top, other] = [scratchFolder(), scratchFolder()];
  for (const folder of ['.git', 'src']) mkdirSync(join(top, folder));
  writeFileSync(join(top, 'a.ts'), 'a\n');
  writeFileSync(join(other, 'b.ts'), 'b\n');
  const cwd = join(top, 'src');
  const files = { root: other, state: 's' };
  const { change } = reviewInput();
  return { top, other, cwd, files, reviewed: reviewInput({ cwd, change: { ...change, files } }) };
}

const place = { path: 'a.ts', side: 'new', start_line: 3 } as const;

test('a place is in the repository around the folder of the run, in each kind of run', () => {
  const { top, cwd } = world();
  const fix = fixInput({ run: 'r', findings: [finding()] }, { cwd });
  for (const input of [reviewInput({ cwd }), workflowInput({ cwd }), consultInput({ cwd }), fix])
    expect(placeInProject(input, place)).toEqual({ file: join(top, 'a.ts'), line: 3 });
});

test('a place is in the files that the agents read, if they read some', () => {
  const { other, files, cwd, reviewed } = world();
  for (const input of [reviewed, consultInput({ cwd, files })]) {
    const found = placeInProject(input, { ...place, path: 'b.ts' });
    expect(found).toEqual({ file: join(other, 'b.ts'), line: 3 });
    expect(placeInProject(input, place)).toBeNull();
  }
});

test('a line of the old side is not one of the file', () => {
  const { top, cwd } = world();
  const found = placeInProject(reviewInput({ cwd }), { ...place, side: 'old' });
  expect(found).toEqual({ file: join(top, 'a.ts'), line: null });
});

test('a file that is missing or outside, no path, and a run from elsewhere have no place', () => {
  const { cwd, other } = world();
  const input = reviewInput({ cwd });
  expect(placeInProject(input, { ...place, path: 'gone.ts' })).toBeNull();
  expect(placeInProject(input, { ...place, path: `../${other.split('/').at(-1)}/b.ts` })).toBeNull();
  expect(placeInProject(input, { ...place, path: null })).toBeNull();
  expect(placeInProject(reviewInput({ cwd: '' }), place)).toBeNull();
});
