/**
 * The line of ours that every prompt begins with. The session's transcript keeps it, so that a lost turn is found again and
 * an earlier one is never taken for it; and a prompt that begins with it is never read as a command (`/compact`).
 */
export function withCallLine(callId: string, prompt: string): string {
  return `[collab call ${asWritten(callId)}]\n\n${prompt}`;
}

/** Null for a text that is no prompt of ours. */
export function callOf(text: string): string | null {
  return /^\[collab call (\S+)\]\n/.exec(text)?.[1] ?? null;
}

/** Whether a call is the one of this id, or one of its tries. */
export function isTryOf(found: string, callId: string): boolean {
  const [one, wanted] = [asWritten(found), asWritten(callId)];
  return one === wanted || one.startsWith(`${wanted}/`);
}

function asWritten(callId: string): string {
  return callId.replaceAll(/\s+/g, '_');
}
