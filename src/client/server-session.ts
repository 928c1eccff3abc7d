/** The browser's session with the server. If the server requires a token, it is exchanged once for a cookie. */
import { readSession } from './read-lists.ts';
import { errorOfResponse } from './refusal.ts';
import { jsonBody, type ServerAddress } from './request.ts';
import type { ReaderSession } from './run-types.ts';

export interface ServerSession {
  /** Resolves with null if the server requires a token. */
  current(): Promise<ReaderSession | null>;
  logIn(token: string): Promise<void>;
  logOut(): Promise<void>;
}

/** Every method throws the error that `refusalOf` makes of a refusal. */
export function createServerSession({
  baseUrl = '',
  fetch: fetchFrom = fetch,
}: Pick<ServerAddress, 'baseUrl' | 'fetch'> = {}): ServerSession {
  const path = `${baseUrl}/api/session`;

  async function asked(init: RequestInit): Promise<void> {
    const response = await fetchFrom(path, init);
    if (!response.ok) throw await errorOfResponse(response);
  }

  return {
    async current() {
      const response = await fetchFrom(path);
      if (response.status === 401) return null;
      if (!response.ok) throw await errorOfResponse(response);
      return readSession(await response.json());
    },
    logIn: (token) => asked(jsonBody({ token })),
    logOut: () => asked({ method: 'DELETE' }),
  };
}
