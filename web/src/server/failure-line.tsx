import type { ReactElement } from 'react';
import { tellFailure } from '../../../src/client/review.ts';
import { Alert } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { useWords } from '../words/language.tsx';
import { shellWords } from '../words/shell-words.ts';
import { useServerIfAny } from './server-context.tsx';
import type { RequestFailure } from './use-asked.ts';

export function FailureLine({
  failure,
  onAgain,
}: {
  readonly failure: RequestFailure;
  readonly onAgain?: () => void;
}): ReactElement | null {
  const words = useWords(shellWords);
  const server = useServerIfAny();
  // One notice above the page says it, instead of one for each part.
  if (server?.isAway === true && failure.status === null && onAgain !== undefined) return null;
  return (
    <Alert action={onAgain !== undefined && <Button onClick={onAgain}>{words.again}</Button>}>
      {failure.status === null ? `${words.unreachable} (${failure.detail})` : tellFailure(failure)}
    </Alert>
  );
}
