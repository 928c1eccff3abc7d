/** Tells a fault of the database from one of an agent or of a request: a server hides it from its clients. */
import { CollabError } from './collab-error.ts';

/** The details of each error for a fault of the database. */
export const databasePart = { part: 'database' } as const;

/** Returns true for a fault of the database in words, whatever its code. */
export function isDatabaseFault(error: unknown): error is CollabError {
  return error instanceof CollabError && error.details['part'] === databasePart.part;
}
