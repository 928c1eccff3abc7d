import { expect, test } from 'vitest';
import { filesOfChange } from './files-of-change.ts';

const diffOf = (path: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;

test('the same change is parsed once, and another one again', () => {
  const files = filesOfChange(diffOf('a.ts'));
  expect(files.map(({ path }) => path)).toEqual(['a.ts']);
  expect(filesOfChange(diffOf('a.ts'))).toBe(files);
  expect(filesOfChange(diffOf('b.ts')).map(({ path }) => path)).toEqual(['b.ts']);
  expect(filesOfChange(null)).toEqual([]);
});
