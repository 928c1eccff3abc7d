import { expect, test } from 'vitest';
import { hostileRepository } from '../../test/fixtures/scratch-repository.ts';
import type { ChangeRequest } from './change-input.ts';
import { resolveChange } from './resolve-change.ts';

test('the fixture is hostile: plain git springs its traps', () => {
  const repository = hostileRepository();
  const plain = () => repository.git('-c', 'submodule.sub.update=none', 'status');
  expect(plain).toThrow('submodule.sub.update');
  repository.git('status', '--ignore-submodules=all');
  repository.git('add', '--all', '--', 'src');
  expect(repository.sprung()).toEqual(
    expect.arrayContaining(['clean', 'fsmonitor', 'hooksPath-post-index-change']),
  );
});

const requests: readonly ChangeRequest[] = [
  { kind: 'working_tree' },
  { kind: 'staged' },
  { kind: 'base', ref: 'base' },
  { kind: 'range', range: 'base...HEAD' },
  { kind: 'commit', sha: 'HEAD' },
];

test.each(requests)('taking $kind from a hostile repository springs no trap', async (request) => {
  const repository = hostileRepository();
  const before = repository.sprung();
  const taken = await resolveChange(request, { cwd: repository.root, env: repository.env });
  expect({ before, after: repository.sprung() }).toEqual({ before: [], after: [] });
  expect(taken.empty).toBe(false);
});

test('every change of a hostile repository is seen, hidden by no attribute and no submodule setting', async () => {
  const repository = hostileRepository();
  const { diffText } = await resolveChange(
    { kind: 'working_tree' },
    { cwd: repository.root, env: repository.env },
  );
  expect(diffText).toContain('+export const a = 3;');
  expect(diffText).toContain('+export const b = 2;');
  expect(diffText).toContain('diff --git a/new file.txt b/new file.txt');
  expect(diffText).not.toContain('Binary files');
});
