import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listIn, readerOf, type Contents } from '../../../test/contract/store/trees.ts';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { filesIn, fillFolder } from './kept-folder.ts';
import { openRepositoryStore, type RepositoryStore } from './store.ts';

export function openScratch() {
  const { root } = scratchRepository();
  const base = scratchFolder();
  const store = openRepositoryStore(base, { commonDir: join(root, '.git') });
  return { base, store, other: () => openRepositoryStore(base, { commonDir: join(root, '.git') }) };
}

export function filling(
  store: RepositoryStore,
  folder: string,
  contents: Contents,
  first: readonly string[] = [],
) {
  const files = listIn(store, contents);
  return fillFolder(store, {
    folder,
    files,
    first: () => files.entries.filter(({ path }) => first.includes(path)),
    read: readerOf(Object.values(contents)),
  });
}

export function contentsOf(folder: string): Contents {
  const paths = readdirSync(filesIn(folder), { recursive: true, encoding: 'utf8' }).toSorted();
  const files = paths.filter((path) => statSync(join(filesIn(folder), path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(filesIn(folder), path), 'utf8')]));
}

export function someFiles(count: number): Contents {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`src/${index % 7}/${index}.ts`, `${index}`]),
  );
}

export const many = someFiles(70);
