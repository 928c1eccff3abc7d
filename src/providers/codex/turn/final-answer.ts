export interface CodexMessage {
  readonly text: string;
  /** `commentary` or `final_answer`, if the model sets it. */
  readonly phase: string | null;
}

/** Returns the last message that is not commentary, else the last one; null if it has no text. */
export function finalAnswer(messages: readonly CodexMessage[]): string | null {
  const answer = messages.findLast(({ phase }) => phase !== 'commentary') ?? messages.at(-1);
  return answer === undefined || answer.text.trim() === '' ? null : answer.text;
}
