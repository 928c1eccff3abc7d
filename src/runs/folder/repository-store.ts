import { findRepository } from '../../git/repository/find-root.ts';
import { openRepositoryStore, type RepositoryStore } from '../../git/store/store.ts';

/**
 * Calls `use` with the store of a repository; with null outside of a repository or without a private folder, which the run
 * itself reports.
 */
export async function withStore<Result>(
  base: string | null,
  root: string,
  use: (store: RepositoryStore | null) => Promise<Result>,
): Promise<Result> {
  const repository = base === null ? null : await findRepository(root);
  if (base === null || repository === null) return use(null);
  const store = openRepositoryStore(base, repository);
  try {
    return await use(store);
  } finally {
    store.close();
  }
}
