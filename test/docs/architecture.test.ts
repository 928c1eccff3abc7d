/** The walks of references/architecture.md name files that exist, and functions that these files export. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'references/architecture.md'), 'utf8');
const walks = page.slice(page.indexOf('\n## One diff'));
const paths = [...page.matchAll(/`((?:src|web|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
const exportsNamed = [...walks.matchAll(/`([\w./-]+\.tsx?)`\s+\(((?:`\w+`(?:,\s+)?)+)\)/g)].flatMap(
  ([, file = '', names = '']) => [...names.matchAll(/\w+/g)].map(([name]) => ({ file, name })),
);

test('every named file and folder exists', () => {
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every named function is exported by its file', () => {
  const lost = exportsNamed.filter(({ file, name }) => {
    const source = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
    return !new RegExp(
      String.raw`^export (?:(?:async|abstract) )?(?:function\*?|class|const) ${name}\b`,
      'm',
    ).test(source);
  });
  expect(lost).toEqual([]);
});

test.each(['One diff', 'One prompt', 'One event'])('the walk "%s" names functions', (title) => {
  const walk = walks
    .split('\n## ')
    .find((section) => section.trimStart().replace('## ', '').startsWith(title));
  const named = exportsNamed.filter(
    ({ file, name }) => walk?.includes(`\`${file}\``) === true && walk.includes(`\`${name}\``),
  );
  expect(named.length).toBeGreaterThanOrEqual(8);
});
