import { useCallback, useState, type ReactElement } from 'react';
import { refusalIn } from '../../../src/client/refusal.ts';
import { QuestionPanel } from '../questions/question-panel.tsx';
import type { Route } from '../route.ts';
import type { QuestionState } from '../run-state.ts';
import { useServer } from '../server/server-context.tsx';
import { useFailed } from '../server/use-asked.ts';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';
import type { UsedRun } from './use-run.ts';

interface OpenQuestionsProps {
  readonly route: Extract<Route, { kind: 'run' }>;
  readonly used: UsedRun;
}

/** Shows the open questions of the run, to be answered here. */
export function OpenQuestions({ route, used }: OpenQuestionsProps): ReactElement | null {
  const words = useWords(runWords);
  const { client } = useServer();
  const failed = useFailed();
  const { conversation, run: id } = route;
  const { run, detail } = used;
  const { reload } = detail;
  const [late, setLate] = useState<readonly string[]>([]);
  const answer = useCallback(
    async (question: QuestionState, value: unknown) => {
      try {
        await client.answer(conversation, id, question.name, value);
      } catch (error) {
        failed(error);
        if (refusalIn(error)?.status === 409) setLate((before) => [...before, keyOf(question)]);
        throw error;
      }
      reload();
    },
    [client, conversation, failed, id, reload],
  );
  // A reader who was too late sees the other answer.
  const isLate = (question: QuestionState) => late.includes(keyOf(question));
  const isShown = (question: QuestionState) =>
    question.answer === null ? run.end === null : isLate(question);
  const shown = run.questions.filter(isShown);
  if (shown.length === 0) return null;
  return (
    <section className="open-questions" aria-label={words.waitsForAnswer}>
      {shown.map((question) => (
        <QuestionPanel
          key={keyOf(question)}
          question={question}
          isLate={isLate(question)}
          onAnswer={(_name, value) => answer(question, value)}
        />
      ))}
    </section>
  );
}

/** The same name may be asked again. */
function keyOf({ name, askedAt }: QuestionState): string {
  return `${name} ${askedAt}`;
}
