/** Shows a run's question and the form to answer it; afterwards, who gave which answer. */
import { useEffect, useId, useRef, useState, type ReactElement } from 'react';
import { refusalIn } from '../../../src/client/refusal.ts';
import { neutralise } from '../../../src/client/markdown.ts';
import { tellFailure } from '../../../src/client/review.ts';
import { Button } from '../design/button.tsx';
import { Card } from '../design/card.tsx';
import { send as sendIcon } from '../design/icons.ts';
import { Markdown } from '../markdown/markdown.tsx';
import type { QuestionState } from '../run-state.ts';
import { AnswerFields } from './answer-fields.tsx';
import { answerFormOf } from './answer-form.ts';
import { AnswerQuote } from './answer-quote.tsx';
import { composeAnswer, type AnswerDraft } from './compose-answer.ts';
import { useQuestionWords, type QuestionWords } from './question-words.ts';

export interface QuestionPanelProps {
  readonly question: Pick<QuestionState, 'name' | 'kind' | 'text' | 'schema' | 'answer'>;
  /** Rejects with the server's error: 409 if it is answered already, 422 if the value does not fit. */
  readonly onAnswer: (name: string, value: unknown) => Promise<void>;
  /** The reader answered after someone else. */
  readonly isLate?: boolean;
}

export function QuestionPanel({ question, onAnswer, isLate = false }: QuestionPanelProps): ReactElement {
  const words = useQuestionWords();
  const id = useId();
  const head = useRef<HTMLHeadingElement>(null);
  const { kind, text, answer } = question;
  return (
    <Card tone="active" className="question" aria-labelledby={id}>
      <h3 id={id} ref={head} tabIndex={-1}>
        {words.kind[kind]}
      </h3>
      {/* Only a focused element can be scrolled by keys. */}
      <div className="asked" role="group" aria-label={words.asked} tabIndex={0}>
        <Markdown text={text} />
      </div>
      {answer === null ? (
        <AnswerFormView
          question={question}
          onAnswer={onAnswer}
          // The form disappears; its user must not be left at the top of the page.
          onDone={() => head.current?.focus()}
        />
      ) : (
        <>
          {isLate && <p role="alert">{words.takenBefore}</p>}
          <GivenAnswer answer={answer} />
        </>
      )}
    </Card>
  );
}

function GivenAnswer({ answer: { by, value } }: { readonly answer: NonNullable<QuestionState['answer']> }) {
  const words = useQuestionWords();
  return (
    <div className="given-answer">
      <p>{words.answeredBy[by]}</p>
      <AnswerQuote value={value} />
    </div>
  );
}

type Sending =
  | { readonly kind: 'editing' }
  | { readonly kind: 'sending' }
  /** The server accepted it; the run's own event about it follows. */
  | { readonly kind: 'sent' }
  | { readonly kind: 'taken_before' }
  | { readonly kind: 'problem'; readonly field: string | null; readonly text: string };

interface AnswerFormViewProps extends QuestionPanelProps {
  readonly onDone: () => void;
}

function AnswerFormView({ question, onAnswer, onDone }: AnswerFormViewProps): ReactElement {
  const words = useQuestionWords();
  const [form] = useState(() => answerFormOf(question.schema));
  const [draft, setDraft] = useState<AnswerDraft>({});
  const [sending, setSending] = useState<Sending>({ kind: 'editing' });
  const element = useRef<HTMLFormElement>(null);
  const problem = sending.kind === 'problem' ? sending : null;
  useFocusOn(element, problem?.field ?? null, sending);

  const send = async () => {
    if (sending.kind === 'sending') return;
    const composed = composeAnswer(form, draft);
    if (composed.kind === 'problem') {
      setSending({ kind: 'problem', field: composed.field, text: words[composed.problem] });
      return;
    }
    setSending({ kind: 'sending' });
    const next = await sendAnswer(() => onAnswer(question.name, composed.value), words);
    setSending(next);
    if (next.kind !== 'problem') onDone();
  };

  if (sending.kind === 'sent') return <p role="status">{words.sent}</p>;
  if (sending.kind === 'taken_before') return <p role="alert">{words.takenBefore}</p>;
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <AnswerFields
        form={form}
        draft={draft}
        problem={problem}
        isDisabled={sending.kind === 'sending'}
        onChange={(name, value) => {
          setDraft({ ...draft, [name]: value });
          setSending({ kind: 'editing' });
        }}
        onSend={() => void send()}
      />
      {problem !== null && (
        <p role="alert" id={`${question.name}-problem`} className="problem">
          {problem.text}
        </p>
      )}
      <Button type="submit" kind="primary" icon={sendIcon} aria-disabled={sending.kind === 'sending'}>
        {sending.kind === 'sending' ? words.sending : words.send}
      </Button>
    </form>
  );
}

/** Moves the focus to the fault. */
function useFocusOn(
  form: { readonly current: HTMLFormElement | null },
  field: string | null,
  sending: Sending,
): void {
  useEffect(() => {
    if (field === null) return;
    const control = form.current?.elements.namedItem(field);
    const element = control instanceof RadioNodeList ? control[0] : control;
    if (element instanceof HTMLElement) element.focus();
  }, [form, field, sending]);
}

async function sendAnswer(send: () => Promise<void>, words: QuestionWords): Promise<Sending> {
  try {
    await send();
    return { kind: 'sent' };
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal?.status === 409) return { kind: 'taken_before' };
    const said = error instanceof Error ? error.message : String(error);
    const why = refusal === null ? said : tellFailure(refusal);
    return { kind: 'problem', field: null, text: words.failed(neutralise(why)) };
  }
}
