import { useCallback, type ReactElement } from 'react';
import { QuestionPanel } from '../questions/question-panel.tsx';
import type { Route } from '../route.ts';
import { useServer } from '../server/server-context.tsx';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';
import type { UsedRun } from './use-run.ts';

interface OpenQuestionsProps {
  readonly route: Extract<Route, { kind: 'run' }>;
  readonly used: UsedRun;
}

/** What the run waits for, to be answered here. */
export function OpenQuestions({ route, used }: OpenQuestionsProps): ReactElement {
  const words = useWords(runWords);
  const { client } = useServer();
  const { conversation, run: id } = route;
  const { run, detail } = used;
  const { reload } = detail;
  const answer = useCallback(
    async (name: string, value: unknown) => {
      await client.answer(conversation, id, name, value);
      reload();
    },
    [client, conversation, id, reload],
  );
  const open = run.end === null ? run.questions.filter((question) => question.answer === null) : [];
  return (
    <div tabIndex={-1}>
      {open.length > 0 && (
        <section className="open-questions" aria-label={words.waitsForAnswer}>
          {open.map((question) => (
            <QuestionPanel
              key={`${question.name} ${question.askedAt}`}
              question={question}
              onAnswer={answer}
            />
          ))}
        </section>
      )}
    </div>
  );
}
