/** Returns a unique name for a new conversation. Works without a secure context, too. */
export function newConversationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `c-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
