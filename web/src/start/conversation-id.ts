import { keep, kept } from '../remember.ts';

const made = new Set<string>();

/** Returns a unique name for a new conversation. Works without a secure context, too. */
export function newConversationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const id = `c-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  made.add(id);
  keep(tab, nameOf(id), 'new');
  return id;
}

/** Returns true for a name that this tab made: the server does not know it before the first message. */
export function isNewHere(id: string): boolean {
  return made.has(id) || kept(tab, nameOf(id)) !== null;
}

const tab = (): Storage => sessionStorage;

function nameOf(id: string): string {
  return `new.${id}`;
}
