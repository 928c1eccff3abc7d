/** What a turn of a conversation takes from outside, kept before its first record; a resumed one reads nothing a second time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../errors/collab-error.ts';
import { attachmentSchema } from '../providers/history.ts';
import { writeAtomically } from './run-folder.ts';

const turnInputSchema = z.object({
  schema: z.literal('collab.turn/v1'),
  kind: z.literal('turn'),
  /** UTC. */
  started_at: z.iso.datetime(),
  cwd: z.string(),
  /** `say` is answered by the lead; `tool` is the command of a tool. */
  does: z.enum(['say', 'tool']),
  text: z.string(),
  /** Of what is said, in the conversation. */
  message_id: z.string(),
  attachments: z.array(attachmentSchema),
  /** Of the conversation, in its first run; null in any other. */
  title: z.string().nullable(),
  /** Folders of skills by which the lead works, in the order in which they were asked for. */
  skills: z.array(z.string()),
});
export type TurnInput = z.infer<typeof turnInputSchema>;

export function writeTurnInput(runFolder: string, input: TurnInput): void {
  writeAtomically(inputFile(runFolder), JSON.stringify(input));
}

/** @throws CollabError `journal_corrupt` where the file is gone or is not what was written */
export function readTurnInput(runFolder: string): TurnInput {
  const file = inputFile(runFolder);
  try {
    return turnInputSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new CollabError('journal_corrupt', `the input of the turn cannot be read: ${file}`, {
      hint: 'say it again in the conversation; this turn cannot go on',
      details: { file },
      cause,
    });
  }
}

function inputFile(runFolder: string): string {
  return join(runFolder, 'input.json');
}
