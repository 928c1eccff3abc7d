import type { CollabError } from '../errors/collab-error.ts';
import { printableError } from './printable-error.ts';
import type { Session } from './session.ts';

/** Prints what happened, with the value, and what to do. */
export function tellError(session: Session, { message, hint }: CollabError): void {
  session.err(`collab: ${printableError(message)}\n`);
  if (hint !== null) session.err(`  ${printableError(hint)}\n`);
}
