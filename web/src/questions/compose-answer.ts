/** What somebody filled in, made into the value that is sent; or which field wants something else. */
import { phases, renderGateAnswer, type GateAnswer } from '../../../src/client/questions.ts';
import type { AnswerForm, AnswerField, Fits } from './answer-form.ts';

/** What stands in the fields, by their names. */
export type Draft = Readonly<Record<string, string | undefined>>;

export type Problem = 'empty' | 'nothingChosen' | 'notJson' | 'doesNotFit';

export type ComposedAnswer =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly field: string; readonly problem: Problem };

export function composeAnswer(form: AnswerForm, draft: Draft): ComposedAnswer {
  const { decision = '', text = '' } = draft;
  switch (form.kind) {
    case 'approval':
      return composeApproval(form, draft);
    case 'apply':
      return decision === '' ? problem('decision', 'nothingChosen') : answer(decision);
    case 'choice':
      return form.options.includes(decision) ? answer(decision) : problem('decision', 'nothingChosen');
    case 'text':
      return fittingText(text.trim(), form.fits);
    case 'fields':
      return composeFields(form.fields, draft);
    case 'json':
      return composeJson(text);
  }
}

function composeApproval(
  { revisable, fits }: Extract<AnswerForm, { kind: 'approval' }>,
  { decision, phase: named, text = '' }: Draft,
): ComposedAnswer {
  const comment = text.trim() === '' ? null : text.trim();
  if (decision === 'approve' || decision === 'stop')
    return answer(renderGateAnswer({ kind: decision, comment }));
  if (decision !== 'revise') return problem('decision', 'nothingChosen');
  if (comment === null) return problem('text', 'empty');
  // The phase at hand is meant where none is named; it is the last one that can be gone back to.
  const phase = phases.find((name) => name === named && name !== revisable.at(-1)) ?? null;
  const revise: GateAnswer = { kind: 'revise', phase, comment };
  return fittingText(renderGateAnswer(revise), fits);
}

function fittingText(text: string, fits: Fits): ComposedAnswer {
  if (text === '') return problem('text', 'empty');
  return fits(text) ? answer(text) : problem('text', 'doesNotFit');
}

function composeFields(fields: readonly AnswerField[], draft: Draft): ComposedAnswer {
  const filled = fields.map((field) => ({ ...field, text: (draft[field.name] ?? '').trim() }));
  const missing = filled.find(({ text, required }) => text === '' && required);
  if (missing !== undefined)
    return problem(missing.name, missing.options === null ? 'empty' : 'nothingChosen');
  return answer(
    Object.fromEntries(filled.filter(({ text }) => text !== '').map(({ name, text }) => [name, text])),
  );
}

function composeJson(text: string): ComposedAnswer {
  if (text.trim() === '') return problem('text', 'empty');
  try {
    return answer(JSON.parse(text));
  } catch {
    return problem('text', 'notJson');
  }
}

function answer(value: unknown): ComposedAnswer {
  return { kind: 'answer', value };
}

function problem(field: string, what: Problem): ComposedAnswer {
  return { kind: 'problem', field, problem: what };
}
