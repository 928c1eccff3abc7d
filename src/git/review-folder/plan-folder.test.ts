import { expect, test } from 'vitest';
import type { TreeEntry } from '../repository/list-tree.ts';
import { planFolder } from './plan-folder.ts';

function file(path: string, sizeBytes: number | null = 10): TreeEntry {
  return { path, blob: 'b10b', kind: 'file', sizeBytes };
}

const mebibyte = 1024 * 1024;

test('every file of a small repository is included, changed ones first', () => {
  expect(planFolder([file('a'), file('b/c'), file('d')], ['d'])).toEqual({
    entries: [file('d'), file('a'), file('b/c')],
    leftOut: [],
    remark: null,
  });
});

test('environment files, submodules, and large, missing or unsafe files are left out, each with its reason', () => {
  const submodule: TreeEntry = { ...file('lib'), kind: 'submodule' };
  const tree = [
    file('.env'),
    file('app/.ENV.local'),
    file('.envrc'),
    file('.env/secret'),
    submodule,
    file('max', mebibyte),
    file('large', mebibyte + 1),
    file('lost', null),
    file('.git/config'),
    file('sub/.Git/hooks/x'),
    file('../outside'),
    file('/absolute'),
    file('a//b'),
    file('not\uFFFDutf8'),
    file('windows\\path'),
    file('environment.ts'),
  ];
  const plan = planFolder(tree, []);
  expect(plan.entries.map(({ path }) => path)).toEqual(['max', 'environment.ts']);
  expect(plan.leftOut.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    '.env: environment_file',
    'app/.ENV.local: environment_file',
    '.envrc: environment_file',
    '.env/secret: environment_file',
    'lib: submodule',
    'large: too_large',
    'lost: not_in_clone',
    '.git/config: unsafe_path',
    'sub/.Git/hooks/x: unsafe_path',
    '../outside: unsafe_path',
    '/absolute: unsafe_path',
    'a//b: unsafe_path',
    'not\uFFFDutf8: unsafe_path',
    'windows\\path: unsafe_path',
  ]);
});

test('a folder is full at 512 MiB and contains the changed files', () => {
  const tree = Array.from({ length: 600 }, (_, index) =>
    file(`file-${String(index).padStart(3, '0')}`, mebibyte),
  );
  const plan = planFolder(tree, ['file-599']);
  expect(plan.entries).toHaveLength(512);
  expect(plan.entries[0]).toEqual(file('file-599', mebibyte));
  expect(plan.leftOut).toHaveLength(88);
  expect(new Set(plan.leftOut.map(({ reason }) => reason))).toEqual(new Set(['folder_full']));
});

test('above 20,000 files only the touched packages are included, with a note', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => file(`packages/other/src/${index}.ts`));
  const tree = [
    file('package.json'),
    file('readme.md'),
    file('tools/run.sh'),
    file('packages/other/package.json'),
    ...many,
    file('packages/one/package.json'),
    file('packages/one/src/deep/a.ts'),
    file('services/two/go.mod'),
    file('services/two/main.go'),
    file('services/two/web/package.json'),
    file('services/two/web/index.ts'),
  ];
  const plan = planFolder(tree, ['packages/one/src/deep/a.ts', 'services/two/main.go']);
  expect(plan.entries.map(({ path }) => path)).toEqual([
    'packages/one/src/deep/a.ts',
    'services/two/main.go',
    'packages/one/package.json',
    'services/two/go.mod',
  ]);
  expect(plan.leftOut).toEqual([]);
  expect(plan.remark).toBe('repository access: 4 of 20010 files (packages/one, services/two)');
  expect(planFolder(tree, ['readme.md']).entries.map(({ path }) => path)).toEqual([
    'readme.md',
    'package.json',
    'tools/run.sh',
  ]);
});
