import type { CodexLogin } from './login.ts';
import type { UserSettings } from './user-settings.ts';

/** Returns the host that receives the text, for the first lines of a run; null if only Codex knows the provider's address. */
export function destinationOf(settings: UserSettings, login: CodexLogin): string | null {
  if (settings.providerId !== null) return hostOf(settings.provider?.base_url ?? null);
  const configured = settings.openaiBaseUrl ?? (isChatGpt(login) ? settings.chatgptBaseUrl : null);
  return hostOf(configured) ?? (isChatGpt(login) ? 'chatgpt.com' : 'api.openai.com');
}

function isChatGpt({ label }: CodexLogin): boolean {
  return label === 'ChatGPT login';
}

function hostOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).host : null;
}
