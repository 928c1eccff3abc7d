/** What `collab demo` says when its run has ended. */

export function closingWords(runId: string): string {
  return `
That was a rehearsal: both agents read from a script, and nothing left this machine.

  collab show ${runId}             what came of it; --events prints every step
  collab check ${runId}            proves that its journal keeps the laws

For the real thing:

  npm install -g @anthropic-ai/claude-code    the lead; then: claude, and /login
  npm install -g @openai/codex                the advisor; then: codex login
  collab doctor                               what is still missing
  collab run "<task>"                         in your own repository
`;
}
