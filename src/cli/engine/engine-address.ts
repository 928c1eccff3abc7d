/** The address of the database that holds runs: a flag, or `COLLAB_ENGINE`, which keeps a password out of process lists. */
import { CollabError } from '../../errors/collab-error.ts';
import type { Session } from '../session.ts';

export const engineVariable = 'COLLAB_ENGINE';

/** @throws CollabError `usage` if neither names one */
export function engineAddress(session: Pick<Session, 'env'>, flag: string | undefined): string {
  const address = flag ?? session.env[engineVariable] ?? '';
  if (address !== '') return address;
  throw new CollabError('usage', 'No database is named', {
    hint: `use --engine postgres://… or set ${engineVariable}`,
  });
}
