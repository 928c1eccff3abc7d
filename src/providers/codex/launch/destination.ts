import type { Login } from './login.ts';
import type { UserSettings } from './user-settings.ts';

/** The host that gets the text, for the first line of a run; null for a provider whose address only Codex knows. */
export function destinationOf(settings: UserSettings, login: Login): string | null {
  if (settings.providerId !== null) return hostOf(settings.provider?.base_url ?? null);
  const configured = settings.openaiBaseUrl ?? (isChatGpt(login) ? settings.chatgptBaseUrl : null);
  return hostOf(configured) ?? (isChatGpt(login) ? 'chatgpt.com' : 'api.openai.com');
}

function isChatGpt({ label }: Login): boolean {
  return label === 'ChatGPT login';
}

function hostOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).host : null;
}
