/** Messages as a tenant gets them: an attachment is named by its number, not by its place on this machine. */
import { basename } from 'node:path';
import { z } from 'zod';
import { localTenant } from '../../access/speaker.ts';

const attachedSchema = z.looseObject({ attachments: z.array(z.looseObject({ url: z.string() })) });

/** The owner of the machine gets them as they are. */
export function messagesFor<Message extends object>(
  tenant: string,
  messages: readonly Message[],
): readonly Message[] {
  return tenant === localTenant ? messages : messages.map(withoutPaths);
}

function withoutPaths<Message extends object>(message: Message): Message {
  const attached = attachedSchema.safeParse(message);
  if (!attached.success) return message;
  const attachments = attached.data.attachments.map((one) => ({ ...one, url: basename(one.url) }));
  return { ...message, attachments };
}
