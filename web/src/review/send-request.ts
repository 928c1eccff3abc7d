import { useState } from 'react';
import type { RequestFailure } from '../server/use-asked.ts';
import type { Sent } from './review-requests.ts';

export interface Sending {
  readonly isSending: boolean;
  readonly failure: RequestFailure | null;
  readonly send: () => void;
}

/** Sends a request of a dialog once at a time. `onDone` is called after the server has taken it. */
export function useSending(request: () => Sent, onDone: () => void): Sending {
  const [state, setState] = useState<Omit<Sending, 'send'>>({ isSending: false, failure: null });
  const send = async (): Promise<void> => {
    if (state.isSending) return;
    setState({ isSending: true, failure: null });
    const failure = await request();
    setState({ isSending: false, failure });
    if (failure === null) onDone();
  };
  return { ...state, send: () => void send() };
}
