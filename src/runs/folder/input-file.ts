/** What a run takes from outside, as a file of its folder: kept before its first record, read again by every drive. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { writeAtomically } from './run-folder.ts';

export function writeInput(runFolder: string, input: object): void {
  writeAtomically(inputFile(runFolder), JSON.stringify(input));
}

export interface ExpectedInput<Input> {
  readonly schema: z.ZodType<Input>;
  /** Whose input it is, for people: `the run`. */
  readonly whose: string;
  readonly hint: string;
}

/** @throws CollabError `journal_corrupt` where the file is gone or is not what was written */
export function readInput<Input>(runFolder: string, { schema, whose, hint }: ExpectedInput<Input>): Input {
  const file = inputFile(runFolder);
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new CollabError('journal_corrupt', `the input of ${whose} cannot be read: ${file}`, {
      hint,
      details: { file },
      cause,
    });
  }
}

function inputFile(runFolder: string): string {
  return join(runFolder, 'input.json');
}
