import { useState } from 'react';
import type { RequestedRun } from '../../../src/client/run-types.ts';
import { useServer } from '../server/server-context.tsx';
import { useFailed, type RequestFailure } from '../server/use-asked.ts';
import { goTo } from '../use-route.ts';
import { newConversationId } from './conversation-id.ts';

export interface Starting {
  readonly isStarting: boolean;
  readonly failure: RequestFailure | null;
  readonly start: (request: RequestedRun) => void;
}

/** Starts a run in a conversation of its own and opens it. */
export function useStart(): Starting {
  const { client } = useServer();
  const failed = useFailed();
  const [isStarting, setStarting] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  return {
    isStarting,
    failure,
    start(request) {
      const conversation = newConversationId();
      setStarting(true);
      setFailure(null);
      client.start(conversation, request).then(
        (run) => goTo({ kind: 'run', conversation, run, tab: null, finding: null }),
        (error: unknown) => {
          setFailure(failed(error));
          setStarting(false);
        },
      );
    },
  };
}
