/** The stop reasons of agents and APIs for a length limit. */
const limitsOfLength: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_output_tokens',
  'length',
  'model_context_window_exceeded',
]);

/** Returns true if the text may end anywhere, even in the middle of a word. */
export function isCutShort(stopReason: string | null): boolean {
  return stopReason !== null && limitsOfLength.has(stopReason.toLowerCase());
}
