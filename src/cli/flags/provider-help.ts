/** The provider names, as the help of every command lists them. */
const models = 'anthropic, openai, gemini, one of ./ai_client/';
const script = 'rehearsal:<script.yaml>';

export const advisorsHelp = `auto, codex, claude_code, ${models}, ${script}`;
export const reviewersHelp = `auto, codex, static_review, claude_code, ${models}, ${script}`;
export const leadsHelp = `auto, claude_code, ${models}, ${script}`;
