import type { Act } from '../../access/permissions.ts';
import { repositoryName } from '../../config/load-config.ts';

/** The action that a caller must be allowed to do before anything of the served repository is shown. */
export function readsRepository(cwd: string): Act {
  return { does: 'read the repository', what: repositoryName(cwd) };
}
