import * as fc from 'fast-check';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { insidePath, isHidden } from './inside-path.ts';

test.each([
  ['src/main.ts', 'src/main.ts'],
  ['./src//a/../main.ts', 'src/main.ts'],
  ['', '.'],
  ['.', '.'],
  ['src/', 'src'],
  ['...', '...'],
  ['.gitignore', '.gitignore'],
  ['.github/workflows/ci.yml', '.github/workflows/ci.yml'],
  ['environment.ts', 'environment.ts'],
])('takes %j as %s', (written, path) => {
  expect(insidePath(written)).toEqual({ ok: true, path });
});

test.each([
  ['/etc/passwd', 'absolute'],
  ['\\\\server\\share', 'absolute'],
  ['C:\\Windows', 'absolute'],
  ['C:secrets', 'absolute'],
  ['..', 'leads out'],
  ['../other/file', 'leads out'],
  ['src/../../other', 'leads out'],
  ['src\\..\\..\\other', 'leads out'],
  ['a\0b', 'NUL'],
  ['.git/config', 'not shown'],
  ['.GIT/config', 'not shown'],
  ['sub/.git', 'not shown'],
  ['git~1/config', 'not shown'],
  ['.git /config', 'not shown'],
  ['.env', 'not shown'],
  ['app/.env.local', 'not shown'],
  ['.Env', 'not shown'],
  ['.envrc', 'not shown'],
  ['.env/prod', 'not shown'],
  ['.collab/runs', 'not shown'],
])('refuses %j: %s', (written, why) => {
  expect(insidePath(written)).toEqual({ ok: false, why: expect.stringContaining(why) });
});

const segment = fc.oneof(
  fc.constantFrom('..', '.', '', '.git', '.env', '.ENV.local', '.Git', 'src', 'C:', '~', '...', '.git.'),
  fc.string({ maxLength: 6 }),
);
const written = fc
  .tuple(fc.array(segment, { maxLength: 8 }), fc.constantFrom('/', '\\'))
  .map(([segments, separator]) => segments.join(separator));

test('a drive is refused however it is reached', () => {
  expect(['C:', 'C:/x', ' /../C:', 'src/../D:/x'].map((path) => insidePath(path).ok)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('an accepted path is inside and not hidden, however it is written', () => {
  fc.assert(
    fc.property(written, (path) => {
      const inside = insidePath(path);
      if (!inside.ok) return;
      expect(posix.join('/root/top', inside.path)).toMatch(/^\/root\/top(\/|$)/);
      expect(inside.path.split('/')).not.toContain('..');
      expect(isHidden(inside.path)).toBe(false);
      expect(insidePath(inside.path)).toEqual(inside);
    }),
  );
});
