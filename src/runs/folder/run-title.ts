/** What a run is about, in one line. */
import { CollabError } from '../../errors/collab-error.ts';
import { readRunInput, type RunInput } from './run-input.ts';
import { firstLineOf } from '../../text/title-of.ts';

/** Null for a run of another version: it is listed all the same. */
export function readSubject(runFolder: string): string | null {
  const input = inputIfReadable(runFolder);
  return input === null ? null : subjectOf(input);
}

/** Null where the run is of another version. */
export function inputIfReadable(runFolder: string): RunInput | null {
  try {
    return readRunInput(runFolder);
  } catch (error) {
    if (error instanceof CollabError) return null;
    throw error;
  }
}

export function subjectOf(input: RunInput): string {
  switch (input.kind) {
    case 'review':
      return input.change.description;
    case 'workflow':
      return firstLineOf(input.task);
    case 'consult':
      return `${input.phase}: ${firstLineOf(input.brief)}`;
  }
}
