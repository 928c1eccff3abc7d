import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { RunDetail } from '../../../src/client/run-types.ts';
import { useServer } from '../server/server-context.tsx';
import { useAsked, useFailed, type Asked } from '../server/use-asked.ts';
import { useWhileVisible } from '../use-while-visible.ts';
import { createRunStore, type FollowedRun } from './run-store.ts';
import { standingOf, type Standing } from './standing-of.ts';

export interface UsedRun extends FollowedRun {
  /** The server's current data; fetched again whenever the events report a change. */
  readonly detail: Asked<RunDetail>;
  readonly standing: Standing;
  /** Continues where the connection was lost. */
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
    // Reconnects when the run has failed, since no event ends it then, and when it is resumed.
    store.follow();
    return store.close;
  }, [store, isLoggedOut, hasFailed]);
  const { error } = state;
  useEffect(() => {
    if (error !== null) failed(error);
  }, [error, failed]);
  const isEnded = state.run.end !== null;
  // No event reports that it failed, that its process ended, or that it was resumed.
  useWhileVisible(
    refreshMs,
    useCallback(() => {
      if (!isEnded) reload();
    }, [isEnded, reload]),
  );
  return { ...state, detail, standing, follow: store.follow };
}

const refreshMs = 5000;

/** Returns a mark that changes when the server has new data on the run. */
function markOf({ run, connection }: FollowedRun): string {
  const open = run.questions.filter(({ answer }) => answer === null).length;
  return [run.end !== null, open, run.reviews.length, connection].join(' ');
}
