import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { RunDetail } from '../../../src/client/run-types.ts';
import { useServer } from '../server/server-context.tsx';
import { useAsked, useFailed, type Asked } from '../server/use-asked.ts';
import { useWhileVisible } from '../use-while-visible.ts';
import { createRunStore, type FollowedRun } from './run-store.ts';
import { standingOf, type Standing } from './standing-of.ts';

export interface UsedRun extends FollowedRun {
  /** What the server says of it now; asked for anew whenever the events say that it changed. */
  readonly detail: Asked<RunDetail>;
  readonly standing: Standing;
  /** Goes on where the connection was lost. */
  readonly follow: () => void;
}

export function useRun(conversation: string, run: string): UsedRun {
  const { client, isLoggedOut } = useServer();
  const failed = useFailed();
  const [store] = useState(() => createRunStore({ client, conversation, run }));
  const state = useSyncExternalStore(store.subscribe, store.getState);
  const detail = useAsked(
    useCallback(() => client.run(conversation, run), [client, conversation, run]),
    markOf(state),
  );
  const { reload } = detail;
  const standing = standingOf(state.run, detail.value);
  const hasFailed = standing.state === 'ended' && standing.canGoOn;
  useEffect(() => {
    if (isLoggedOut) return undefined;
    // Anew where it has failed, since no event ends it then, and where somebody goes on with it.
    store.follow();
    return store.close;
  }, [store, isLoggedOut, hasFailed]);
  const { error } = state;
  useEffect(() => {
    if (error !== null) failed(error);
  }, [error, failed]);
  const isEnded = state.run.end !== null;
  // That it failed, that its process went away, or that somebody goes on with it, no event tells.
  useWhileVisible(
    refreshMs,
    useCallback(() => {
      if (!isEnded) reload();
    }, [isEnded, reload]),
  );
  return { ...state, detail, standing, follow: store.follow };
}

const refreshMs = 5000;

/** Changes when the server has something new to say of the run. */
function markOf({ run, connection }: FollowedRun): string {
  const open = run.questions.filter(({ answer }) => answer === null).length;
  return [run.end !== null, open, run.reviews.length, connection].join(' ');
}
