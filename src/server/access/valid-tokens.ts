/** Notices when a token is no longer valid: a command in another process has revoked it, or it has expired. */
import type { Clock } from '../../system/clock.ts';
import { watchFolder } from '../../system/folder-watch.ts';
import type { Credentials } from './tokens-and-sessions.ts';

export interface ValidTokens {
  /** Returns true for the id of a valid token, and for null: the request had none. */
  isValid(id: string | null): boolean;
  /** Calls `end` once when the token is no longer valid, at the latest a second later. Returns a function that stops watching. */
  watch(id: string | null, end: () => void): () => void;
  close(): void;
}

export interface ValidTokensOptions {
  /** If null, there is no folder that could hold tokens. */
  readonly tokens: Credentials | null;
  readonly clock: Clock;
  /** Called for a damaged file; its token is not valid. */
  readonly onFault: (error: unknown) => void;
}

interface Watched {
  readonly id: string;
  readonly end: () => void;
}

export function watchTokens({ tokens, clock, onFault }: ValidTokensOptions): ValidTokens {
  const watched = new Set<Watched>();
  const closing = new AbortController();
  let isLooking = false;

  function isValid(id: string | null): boolean {
    if (id === null || tokens === null) return true;
    try {
      return tokens.get(id) !== null;
    } catch (error) {
      onFault(error);
      return false;
    }
  }

  /** Looks as long as there is a token to look at. */
  async function look(folder: string): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const changes = watchFolder(folder, clock);
    try {
      while (watched.size > 0 && !closing.signal.aborted) {
        endInvalid();
        await changes.change(closing.signal);
      }
    } finally {
      changes.close();
      isLooking = false;
    }
  }

  function endInvalid(): void {
    const ids = new Set([...watched].map(({ id }) => id));
    const invalid = new Set([...ids].filter((id) => !isValid(id)));
    for (const one of watched) {
      if (!invalid.has(one.id)) continue;
      watched.delete(one);
      one.end();
    }
  }

  return {
    isValid,
    watch(id, end) {
      if (id === null || tokens === null) return () => undefined;
      const one = { id, end };
      watched.add(one);
      look(tokens.folder).catch(onFault);
      return () => void watched.delete(one);
    },
    close() {
      watched.clear();
      closing.abort();
    },
  };
}
