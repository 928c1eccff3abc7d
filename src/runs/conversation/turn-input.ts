/** What a turn of a conversation takes from outside, kept before its first record; a resumed one reads nothing a second time. */
import { z } from 'zod';
import { attachmentSchema } from '../../providers/history/history.ts';
import { readInput, writeInput } from '../folder/input-file.ts';

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
  writeInput(runFolder, input);
}

/** @throws CollabError as `readInput` */
export function readTurnInput(runFolder: string): TurnInput {
  const hint = 'say it again in the conversation; this turn cannot go on';
  return readInput(runFolder, { schema: turnInputSchema, whose: 'the turn', hint });
}
