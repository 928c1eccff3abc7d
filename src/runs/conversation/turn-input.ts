/** The outside input of a conversation turn, kept before its first record; a resumed turn reads nothing a second time. */
import { z } from 'zod';
import { attachmentSchema } from '../../providers/history/history.ts';
import { readInput, writeInput } from '../folder/input-file.ts';

const turnInputSchema = z.object({
  schema: z.literal('collab.turn/v1'),
  kind: z.literal('turn'),
  /** UTC. */
  started_at: z.iso.datetime(),
  cwd: z.string(),
  /** `say` is answered by the lead; `tool` is a tool command. */
  does: z.enum(['say', 'tool']),
  text: z.string(),
  /** Id of the user's message in the conversation. */
  message_id: z.string(),
  attachments: z.array(attachmentSchema),
  /** The conversation's title, in its first run; null in any other. */
  title: z.string().nullable(),
  /** Folders of the skills that the lead uses, in the order requested. */
  skills: z.array(z.string()),
});
export type TurnInput = z.infer<typeof turnInputSchema>;

export function writeTurnInput(runFolder: string, input: TurnInput): void {
  writeInput(runFolder, input);
}

/** @throws CollabError as `readInput` */
export function readTurnInput(runFolder: string): TurnInput {
  const hint = 'send it again in the conversation; this turn cannot continue';
  return readInput(runFolder, { schema: turnInputSchema, whose: 'the turn', hint });
}
