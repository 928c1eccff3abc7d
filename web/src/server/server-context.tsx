/** Holds the server connection of the page and the reader's session. */
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';
import { createRunClient, type RunClient } from '../../../src/client/run-client.ts';
import type { ReaderSession } from '../../../src/client/run-types.ts';
import { createServerSession } from '../../../src/client/server-session.ts';
import { fetchEarly } from './early-request.ts';

export interface ConnectedServer {
  readonly tenant: string;
  readonly version: string;
  readonly client: RunClient;
  /** The server no longer knows the reader: the page sends no requests until they have logged in again. */
  readonly isLoggedOut: boolean;
  readonly forget: () => void;
  readonly logOut: () => Promise<void>;
  /** The last request did not reach the server. */
  readonly isAway: boolean;
  /** Reports whether a request reached the server. */
  readonly tellAway: (isAway: boolean) => void;
  /** Grows when everything that is shown is to be requested again. */
  readonly attempt: number;
  readonly reconnect: () => void;
}

export type SessionState =
  | { readonly kind: 'asking' }
  /** `isLoggedOut`: the server no longer knows the reader; content that is already shown stays. */
  | { readonly kind: 'known'; readonly session: ReaderSession; readonly isLoggedOut: boolean }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable'; readonly message: string };

const ServerContext = createContext<ConnectedServer | null>(null);

/** @throws Error outside of a `ServerProvider` */
export function useServer(): ConnectedServer {
  const server = use(ServerContext);
  if (server === null) throw new Error('there is no server here');
  return server;
}

export interface SessionChoice {
  readonly state: SessionState;
  readonly ask: () => void;
  readonly logIn: (token: string) => Promise<void>;
  readonly forget: () => void;
  readonly logOut: () => Promise<void>;
}

const session = createServerSession({ fetch: fetchEarly });

export function useSession(): SessionChoice {
  const [state, setState] = useState<SessionState>({ kind: 'asking' });
  const ask = useCallback(() => void askSession().then(setState), []);
  useEffect(ask, [ask]);
  const forget = useCallback(
    () => setState((before) => (before.kind === 'known' ? { ...before, isLoggedOut: true } : before)),
    [],
  );
  return {
    state,
    ask,
    forget,
    async logIn(token) {
      await session.logIn(token);
      setState(await askSession());
    },
    async logOut() {
      await session.logOut();
      setState(await askSession());
    },
  };
}

async function askSession(): Promise<SessionState> {
  try {
    const found = await session.current();
    return found === null ? { kind: 'unknown' } : { kind: 'known', session: found, isLoggedOut: false };
  } catch (error) {
    return { kind: 'unreachable', message: error instanceof Error ? error.message : String(error) };
  }
}

function useReach(): Pick<ConnectedServer, 'isAway' | 'tellAway' | 'attempt' | 'reconnect'> {
  const [{ isAway, attempt }, setReach] = useState({ isAway: false, attempt: 0 });
  const tellAway = useCallback(
    (next: boolean) =>
      setReach((before) => {
        if (before.isAway === next) return before;
        // When the server is back, all parts of the page are out of date.
        return { isAway: next, attempt: next ? before.attempt : before.attempt + 1 };
      }),
    [],
  );
  const reconnect = useCallback(() => setReach((before) => ({ ...before, attempt: before.attempt + 1 })), []);
  return { isAway, tellAway, attempt, reconnect };
}

/** Returns null outside of a `ServerProvider`. */
export function useServerIfAny(): ConnectedServer | null {
  return use(ServerContext);
}

interface ProviderProps {
  readonly session: ReaderSession;
  readonly isLoggedOut: boolean;
  readonly choice: Pick<SessionChoice, 'forget' | 'logOut'>;
  readonly children: ReactNode;
}

export function ServerProvider({
  session: known,
  isLoggedOut,
  choice,
  children,
}: ProviderProps): ReactElement {
  const { tenant, version } = known;
  const client = useMemo(() => createRunClient({ tenantId: tenant, fetch: fetchEarly }), [tenant]);
  const reach = useReach();
  const server = {
    tenant,
    version,
    client,
    isLoggedOut,
    forget: choice.forget,
    logOut: choice.logOut,
    ...reach,
  };
  return <ServerContext value={server}>{children}</ServerContext>;
}
