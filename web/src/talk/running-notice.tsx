import type { ReactElement } from 'react';
import type { ConversationDetail } from '../../../src/client/run-types.ts';
import { Banner } from '../design/banner.tsx';
import { linkTo } from '../route.ts';
import { useWords } from '../words/language.tsx';
import { talkWords } from './talk-words.ts';

/** Links to the view of a review or a task that runs in the conversation, or of a turn that waits for an answer. */
export function RunningNotice({ detail }: { readonly detail: ConversationDetail }): ReactElement | null {
  const words = useWords(talkWords);
  const { conversation_id: conversation, runs, running_run_id: running } = detail;
  const run = runs.find(({ run_id: id }) => id === running);
  if (run === undefined || (run.kind === 'turn' && run.state !== 'waiting')) return null;
  return (
    <Banner tone="active">
      {words.runningElsewhere}{' '}
      <a href={linkTo({ kind: 'run', conversation, run: run.run_id, tab: null, finding: null })}>
        {words.show}
      </a>
    </Banner>
  );
}
