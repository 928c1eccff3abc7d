import { findRepository } from '../../git/repository/find-root.ts';
import { openRepositoryStore, type RepositoryStore } from '../../git/store/store.ts';

/** Calls `use` with the store of a repository. Without a private folder there is none; the run itself reports that. */
export async function withStore(
  base: string | null,
  root: string,
  use: (store: RepositoryStore) => Promise<void>,
): Promise<void> {
  const repository = base === null ? null : await findRepository(root);
  if (base === null || repository === null) return;
  const store = openRepositoryStore(base, repository);
  try {
    await use(store);
  } finally {
    store.close();
  }
}
