/**
 * Puts our line at the start of a prompt. The session's transcript keeps it, so a lost turn can be found and is never confused
 * with an earlier one. A prompt that starts with it is never read as a command (`/compact`).
 */
export function withCallLine(callId: string, prompt: string): string {
  return `[collab call ${asWritten(callId)}]\n\n${prompt}`;
}

/** Returns the call id of a prompt; null for a text that is not one of our prompts. */
export function callOf(text: string): string | null {
  return /^\[collab call (\S+)\]\n/.exec(text)?.[1] ?? null;
}

/** Returns true if the found call has this id or is one of its attempts. */
export function isTryOf(found: string, callId: string): boolean {
  const [one, wanted] = [asWritten(found), asWritten(callId)];
  return one === wanted || one.startsWith(`${wanted}/`);
}

function asWritten(callId: string): string {
  return callId.replaceAll(/\s+/g, '_');
}
