/** The model family behind each provider: a second opinion from the same family is worth less. */

const families: Readonly<Partial<Record<string, string>>> = {
  codex: 'openai',
  openai: 'openai',
  claude_code: 'anthropic',
  anthropic: 'anthropic',
  // The caller runs inside Claude Code.
  caller: 'anthropic',
  gemini: 'google',
};

/** Rules, scripts and users belong to no family. */
const noModels: ReadonlySet<string> = new Set(['static_review', 'rehearsal', 'user', 'nobody']);

/** Compares families. An unknown provider is its own family. */
export function areSameFamily(one: string, other: string): boolean {
  if (noModels.has(one) || noModels.has(other)) return false;
  return (families[one] ?? one) === (families[other] ?? other);
}
