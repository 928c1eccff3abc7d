import { useCallback, useEffect, useRef, useState } from 'react';
import { refusalIn, type ServerRefusal } from '../../../src/client/refusal.ts';
import { useServer } from './server-context.tsx';

/** The answer to a request. While it is repeated, the earlier answer stays. */
export interface Asked<Value> {
  readonly value: Value | null;
  readonly failure: RequestFailure | null;
  readonly reload: () => void;
}

export type RequestFailure = Pick<ServerRefusal, 'detail' | 'hint'> & { readonly status: number | null };

/**
 * Sends the request when `ask` or `news` changes, when `reload` is called, and when the reader has logged in again; not
 * while logged out.
 */
export function useAsked<Value>(ask: () => Promise<Value>, news?: unknown): Asked<Value> {
  const [state, setState] = useState<{
    of: typeof ask;
    value: Value | null;
    failure: RequestFailure | null;
  } | null>(null);
  const latest = useRef(0);
  const failed = useFailed();
  const { isLoggedOut, tellAway, attempt } = useServer();
  const reload = useCallback(() => {
    if (isLoggedOut) return;
    const turn = (latest.current += 1);
    const isLatest = () => turn === latest.current;
    ask().then(
      (value) => {
        tellAway(false);
        return isLatest() && setState({ of: ask, value, failure: null });
      },
      (error: unknown) => {
        const failure = failed(error);
        if (!isLatest()) return;
        setState((before) => ({ of: ask, value: before?.of === ask ? before.value : null, failure }));
      },
    );
  }, [ask, failed, isLoggedOut, tellAway]);
  useEffect(() => {
    reload();
    return () => {
      latest.current += 1;
    };
  }, [reload, news, attempt]);
  const isOwn = state?.of === ask;
  return { value: isOwn ? state.value : null, failure: isOwn ? state.failure : null, reload };
}

/** Returns the error for the reader; if the server no longer knows the reader, the page asks for a token. */
export function useFailed(): (error: unknown) => RequestFailure {
  const { forget, tellAway } = useServer();
  return useCallback(
    (error) => {
      const refusal = refusalIn(error);
      tellAway(isAway(error));
      if (refusal?.status === 401) forget();
      if (refusal !== null) return refusal;
      return { status: null, detail: error instanceof Error ? error.message : String(error), hint: null };
    },
    [forget, tellAway],
  );
}

/** The error of `fetch` if no answer came. An answer that cannot be read is another error. */
function isAway(error: unknown): boolean {
  return error instanceof TypeError;
}
