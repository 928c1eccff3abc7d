/** The outside input of a run, as a file in its folder: written before its first record, read again by every drive. */
import { join } from 'node:path';
import type { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { readText } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';

export function writeInput(runFolder: string, input: object): void {
  writeAtomically(inputFile(runFolder), JSON.stringify(input));
}

export interface ExpectedInput<Input> {
  readonly schema: z.ZodType<Input>;
  /** The owner of the input, for people: `the run`. */
  readonly whose: string;
  readonly hint: string;
}

/** @throws CollabError `journal_corrupt` if the file is gone or has changed */
export function readInput<Input>(runFolder: string, { schema, whose, hint }: ExpectedInput<Input>): Input {
  const file = inputFile(runFolder);
  try {
    return schema.parse(JSON.parse(readText(file)));
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
