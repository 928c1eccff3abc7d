// Makes the two large changes of test/fixtures/changes: a refactoring that mostly renames, and 3,000 changed lines over
// 60 files, each with planted faults and their expected places. The same input gives the same files; uses neither git nor
// a rule. ¶¶ node scripts/make-changes.mjs [folder]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { largeChange } from './changes/large.mjs';
import { renamingChange } from './changes/renames.mjs';
import { placesIn, renderFile } from './changes/render.mjs';

const folder = process.argv[2] ?? join(import.meta.dirname, '../test/fixtures/changes');

mkdirSync(folder, { recursive: true });
write('large', largeChange());
write('renames', renamingChange());

function write(name, unsorted) {
  const files = unsorted.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const places = files.flatMap(placesIn).map((place) => `  ${JSON.stringify(place)}`);
  writeFileSync(join(folder, `${name}.diff`), files.map(renderFile).join(''));
  writeFileSync(join(folder, `${name}.expected.json`), `[\n${places.join(',\n')}\n]\n`);
}
