import { expect, test } from 'vitest';
import type { TreeEntry } from '../repository/list-tree.ts';
import { readFirst } from './keep-snapshot.ts';

function files(count: number, sizeBytes = 10): readonly TreeEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    path: `${index % 10}/${index}`,
    blob: 'b10b',
    kind: 'file',
    sizeBytes,
  }));
}

test('all files of a small folder are first; of a large one 200, with the changed ones and those beside them', () => {
  const order = readFirst(files(1000), ['7/987']).map(({ path }) => path);
  expect([readFirst(files(500), ['7/497']).length, order.length, order[0]]).toEqual([500, 200, '7/987']);
  expect(order.slice(1, 100).every((path) => path.startsWith('7/'))).toBe(true);
  expect(order[100]).toBe('0/0');
});

test('no more than 8 MiB are first', () => {
  expect(readFirst(files(1000, 1024 * 1024), [])).toHaveLength(8);
});
