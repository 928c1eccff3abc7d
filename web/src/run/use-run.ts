import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
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
  const detail = useAsked(useCallback(() => client.run(conversation, run), [client, conversation, run]));
  const { reload } = detail;
  useDetailAsNewAs(state, detail);
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

/** Returns a mark that changes when the server may have new data on the run. */
function markOf({ run, connection }: FollowedRun): string {
  const open = run.questions.filter(({ answer }) => answer === null).length;
  return [run.end !== null, open, run.reviews.length, connection].join(' ');
}

/** Fetches the server's data again when events changed the run after it, and when the connection may have missed some. */
function useDetailAsNewAs(state: FollowedRun, { value, reload }: Asked<RunDetail>): void {
  const changedAt = useRef(0);
  const mark = markOf(state);
  const note = useEffectEvent(() => {
    const { run, connection } = state;
    changedAt.current = run.lastSeq;
    const isEnded = value === null || value.state === 'ended';
    if (connection !== 'connecting' && connection !== 'open' && !(connection === 'over' && isEnded)) reload();
  });
  useEffect(() => note(), [mark]);
  const reloadIfOlder = useEffectEvent(() => {
    if (value !== null && value.last_seq < changedAt.current) reload();
  });
  useEffect(() => reloadIfOlder(), [mark, value?.last_seq]);
}
