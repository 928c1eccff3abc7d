export interface Message {
  readonly text: string;
  /** `commentary` or `final_answer`, where the model says so. */
  readonly phase: string | null;
}

/** The last message that is no remark on the way; null when the turn said nothing. */
export function finalAnswer(messages: readonly Message[]): string | null {
  const answer = messages.findLast(({ phase }) => phase !== 'commentary') ?? messages.at(-1);
  return answer === undefined || answer.text.trim() === '' ? null : answer.text;
}
