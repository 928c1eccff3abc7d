/** The subject of a run, in one line. */
import { CollabError } from '../../errors/collab-error.ts';
import { readRunInput, type RunInput } from './run-input.ts';
import { firstLineOf } from '../../text/title-of.ts';

/** Returns null for a run of another version, which is listed anyway. */
export function readSubject(runFolder: string): string | null {
  const input = inputIfReadable(runFolder);
  return input === null ? null : subjectOf(input);
}

/** Returns null if the run is of another version. */
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
    case 'fix':
      return firstLineOf(input.task);
    case 'consult':
      return `${input.phase}: ${firstLineOf(input.brief)}`;
  }
}
