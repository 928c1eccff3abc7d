import { CollabError } from '../../errors/collab-error.ts';

export function malformed(name: string, fault: string, cause?: unknown): CollabError {
  return new CollabError('input', `${name} cannot be read as the report of a check: ${fault}`, {
    hint: 'Use SARIF 2.1 (.sarif, .json), JUnit XML (.xml), or a text file with another extension.',
    ...(cause === undefined ? {} : { cause }),
  });
}
