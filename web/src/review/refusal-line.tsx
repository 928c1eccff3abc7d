import type { ReactElement } from 'react';
import { neutralise } from '../../../src/client/markdown.ts';
import { tellFailure } from '../../../src/client/review.ts';
import { Alert } from '../design/banner.tsx';
import type { RequestFailure } from '../server/use-asked.ts';

export interface RefusalLineProps {
  readonly failure: RequestFailure | null;
  readonly words: {
    /** Sentences by HTTP status. */
    readonly refused: Readonly<Record<number, string>>;
    /** Any other failure. */
    readonly failed: string;
  };
}

/** Says in a dialog that the request was refused, followed by the server's own sentence. */
export function RefusalLine({ failure, words }: RefusalLineProps): ReactElement | null {
  if (failure === null) return null;
  const why = words.refused[failure.status ?? 0] ?? words.failed;
  return <Alert hint={neutralise(tellFailure(failure))}>{why}</Alert>;
}
