import { useCallback, type ReactElement } from 'react';
import { Fold } from '../design/fold.tsx';
import { Loading } from '../design/placeholder.tsx';
import type { Route } from '../route.ts';
import { FailureLine } from '../server/failure-line.tsx';
import { useServer } from '../server/server-context.tsx';
import { useAsked } from '../server/use-asked.ts';
import { shellWords } from '../words/shell-words.ts';
import { useWords } from '../words/language.tsx';
import { ForeignText } from './foreign-text.tsx';
import { runWords } from './run-words.ts';

export type RunAddress = Pick<Extract<Route, { kind: 'run' }>, 'conversation' | 'run'>;

interface PromptFoldProps {
  readonly digest: string;
  readonly address: RunAddress;
}

/** Shows a prompt word for word; fetched when the reader opens it. */
export function PromptFold({ digest, address }: PromptFoldProps): ReactElement {
  const words = useWords(runWords);
  return (
    <Fold id={digest} head={words.prompt}>
      <PromptText digest={digest} conversation={address.conversation} run={address.run} />
    </Fold>
  );
}

function PromptText({ digest, conversation, run }: RunAddress & { readonly digest: string }): ReactElement {
  const words = useWords(shellWords);
  const { prompt: label } = useWords(runWords);
  const { client } = useServer();
  const ask = useCallback(() => client.blob(conversation, run, digest), [client, conversation, run, digest]);
  const { value, failure, reload } = useAsked(ask);
  if (failure !== null) return <FailureLine failure={failure} onAgain={reload} />;
  return value === null ? <Loading>{words.loading}</Loading> : <ForeignText text={value} label={label} />;
}
