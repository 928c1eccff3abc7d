import { expect, test } from 'vitest';
import { buildTree, type TreeNode } from './build-tree.ts';

const drawn = (nodes: readonly TreeNode<{ path: string }>[], indent = ''): readonly string[] =>
  nodes.flatMap((node) =>
    node.kind === 'file'
      ? [`${indent}${node.name}`]
      : [`${indent}${node.name}/`, ...drawn(node.children, `${indent}  `)],
  );
const treeOf = (...paths: readonly string[]) => drawn(buildTree(paths.map((path) => ({ path }))));

test('folders come before files, each in the order of the names', () => {
  expect(treeOf('b.ts', 'src/b.ts', 'a.ts', 'src/a/x.ts', 'lib/y.ts')).toEqual([
    'lib/',
    '  y.ts',
    'src/',
    '  a/',
    '    x.ts',
    '  b.ts',
    'a.ts',
    'b.ts',
  ]);
});

test('a folder with one folder alone is one row with it', () => {
  expect(treeOf('src/main/java/A.java', 'src/main/java/b/B.java')).toEqual([
    'src/main/java/',
    '  b/',
    '    B.java',
    '  A.java',
  ]);
});

test('a path may occur twice, be a folder and a file, or be named like a property', () => {
  expect(treeOf('a', 'a', 'a/b', 'constructor', '__proto__/x')).toEqual([
    '__proto__/',
    '  x',
    'a/',
    '  b',
    'a',
    'a',
    'constructor',
  ]);
});
