/** Whose models answer behind a provider: an opinion of the same family is worth less as a second one. */

const families: Readonly<Partial<Record<string, string>>> = {
  codex: 'openai',
  openai: 'openai',
  claude_code: 'anthropic',
  anthropic: 'anthropic',
  // Whoever calls us from inside of Claude Code.
  caller: 'anthropic',
  gemini: 'google',
};

/** Rules, scripts and people are of no family. */
const noModels: ReadonlySet<string> = new Set(['static_review', 'rehearsal', 'user', 'nobody']);

/** A provider that is not known here is a family of its own. */
export function areSameFamily(one: string, other: string): boolean {
  if (noModels.has(one) || noModels.has(other)) return false;
  return (families[one] ?? one) === (families[other] ?? other);
}
