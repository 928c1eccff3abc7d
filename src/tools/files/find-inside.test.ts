import * as fc from 'fast-check';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { findInside } from './find-inside.ts';
import { readInsideText } from './read-text.ts';

/** A folder with every kind of way out of it; each secret file holds the word CANARY. */
function hostileTree(): string {
  const folder = scratchFolder();
  const root = join(folder, 'root');
  mkdirSync(join(root, 'src/deep'), { recursive: true });
  mkdirSync(join(root, '.git'));
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(folder, 'outside/secret'), 'CANARY');
  writeFileSync(join(folder, 'root-twin'), 'CANARY');
  writeFileSync(join(root, '.git/config'), 'CANARY');
  writeFileSync(join(root, '.env'), 'CANARY');
  writeFileSync(join(root, 'src/a.ts'), 'fine');
  writeFileSync(join(root, 'src/deep/b.ts'), 'fine');
  symlinkSync('../../outside', join(root, 'src/out'));
  symlinkSync('../outside/secret', join(root, 'secret'));
  symlinkSync('/', join(root, 'slash'));
  symlinkSync('..', join(root, 'up'));
  symlinkSync('../.git', join(root, 'src/git'));
  symlinkSync('../.env', join(root, 'src/settings'));
  symlinkSync('deep', join(root, 'src/inner'));
  symlinkSync('loop', join(root, 'loop'));
  return root;
}

test.each([
  ['src/a.ts', 'file'],
  ['src', 'folder'],
  ['.', 'folder'],
  ['src/inner/b.ts', 'file'],
])('finds %s', async (path, kind) => {
  expect(await findInside(hostileTree(), path)).toMatchObject({ ok: true, path, kind });
});

test.each([
  ['src/out/secret', 'leads out of the repository'],
  ['secret', 'leads out of the repository'],
  ['slash/etc/passwd', 'leads out of the repository'],
  ['up', 'leads out of the repository'],
  ['up/root-twin', 'leads out of the repository'],
  ['src/git/config', 'not shown'],
  ['src/settings', 'not shown'],
  ['loop', 'cannot be reached (ELOOP)'],
  ['src/a.ts/b', 'cannot be reached (ENOTDIR)'],
  ['nothing', 'There is no nothing.'],
])('refuses %s and says why', async (path, why) => {
  expect(await findInside(hostileTree(), path)).toMatchObject({
    ok: false,
    why: expect.stringContaining(why),
  });
});

test('a root that is itself a link means its target', async () => {
  const root = hostileTree();
  const link = join(root, '../link-to-root');
  symlinkSync(root, link);
  expect(await findInside(link, 'src/a.ts')).toMatchObject({ ok: true });
  expect(await findInside(link, 'secret')).toMatchObject({ ok: false });
});

const segments = [
  '..',
  '.',
  '',
  'src',
  'out',
  'secret',
  'up',
  'slash',
  'git',
  '.git',
  'config',
  'inner',
  'b.ts',
];

test('no path of any shape leads to a file that is outside or hidden', async () => {
  const root = hostileTree();
  const anyPath = fc
    .array(fc.constantFrom(...segments, 'a.ts', 'deep', 'root', 'root-twin', 'settings', '.env'), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => parts.join('/'));
  await fc.assert(
    fc.asyncProperty(anyPath, async (path) => {
      const place = await findInside(root, path);
      if (!place.ok) return;
      expect(`${place.real}${sep}`.startsWith(`${realpathSync(root)}${sep}`)).toBe(true);
      const read = readInsideText(place);
      expect(read.ok ? read.text : 'fine').toBe('fine');
    }),
  );
});
