/** A run with its input and its change: each is read once, however many readers ask. */
import { CollabError } from '../../errors/collab-error.ts';
import type { ReadChange } from '../review/read-change.ts';
import type { RunFolder } from './run-folder.ts';
import { readRunInput, type ReviewRunInput, type RunInput } from './run-input.ts';

export interface OpenedRun extends RunFolder {
  /** @throws CollabError as `readRunInput` */
  readonly input: RunInput;
  /** Returns the change under review. Rejects with `internal` if the run is not a review. */
  readonly change: () => Promise<ReadChange>;
}

/** Reads nothing yet; what is at hand is passed. */
export function openRun({ runId, path }: RunFolder, known: KnownParts = {}): OpenedRun {
  let { input } = known;
  let reading = known.change === undefined ? null : Promise.resolve(known.change);
  return {
    runId,
    path,
    get input() {
      return (input ??= readRunInput(path));
    },
    async change() {
      return (reading ??= read(reviewInputOf(this)));
    },
  };
}

interface KnownParts {
  readonly input?: RunInput | undefined;
  readonly change?: ReadChange | undefined;
}

/** @throws CollabError `internal` if the run is not a review */
export function reviewInputOf({ input, path }: Pick<OpenedRun, 'input' | 'path'>): ReviewRunInput {
  if (input.kind !== 'review') throw new CollabError('internal', `${path} holds no review`);
  return input;
}

async function read(input: ReviewRunInput): Promise<ReadChange> {
  const { readChange } = await import('../review/read-change.ts');
  return readChange(input);
}
