import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { RunDetail } from '../../../src/client/run-types.ts';
import { useServer } from '../server/server-context.tsx';
import { useAsked, useFailed, type Asked } from '../server/use-asked.ts';
import { createRunStore, type FollowedRun } from './run-store.ts';

export interface UsedRun extends FollowedRun {
  /** What the server says of it now; asked for anew whenever the events say that it changed. */
  readonly detail: Asked<RunDetail>;
  /** Goes on where the connection was lost. */
  readonly follow: () => void;
}

export function useRun(conversation: string, run: string): UsedRun {
  const { client, isLoggedOut } = useServer();
  const failed = useFailed();
  const [store] = useState(() => createRunStore({ client, conversation, run }));
  useEffect(() => {
    if (isLoggedOut) return undefined;
    store.follow();
    return store.close;
  }, [store, isLoggedOut]);
  const state = useSyncExternalStore(store.subscribe, store.getState);
  const { error } = state;
  useEffect(() => {
    if (error !== null) failed(error);
  }, [error, failed]);
  const detail = useAsked(useCallback(() => client.run(conversation, run), [client, conversation, run]));
  const { reload } = detail;
  const mark = markOf(state);
  useEffect(reload, [mark, reload]);
  return { ...state, detail, follow: store.follow };
}

/** Changes when the server has something new to say of the run. */
function markOf({ run, connection }: FollowedRun): string {
  const open = run.questions.filter(({ answer }) => answer === null).length;
  return [run.end !== null, open, run.reviews.length, connection].join(' ');
}
