import type { ReactElement } from 'react';
import { neutralise } from '../../../src/client/markdown.ts';
import type { QuestionState } from '../run-state.ts';

/** Shows an answer of any shape; it is foreign text. */
export function AnswerQuote({ value }: Pick<NonNullable<QuestionState['answer']>, 'value'>): ReactElement {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return <blockquote>{neutralise(text)}</blockquote>;
}
