import type { Act } from '../../access/permissions.ts';
import { repositoryName } from '../../config/load-config.ts';

/**
 * The action that a caller must be allowed to do before anything of the served repository is shown. `name`: another
 * repository's, for a run that was started elsewhere.
 */
export function readsRepository(cwd: string, name: string | null = null): Act {
  return { does: 'read the repository', what: name ?? repositoryName(cwd) };
}
