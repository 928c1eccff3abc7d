/** Converts the filled-in form to the value that is sent, or returns the field that needs another value. */
import { phases, renderGateAnswer, type GateAnswer } from '../../../src/client/questions.ts';
import type { AnswerForm, AnswerField, Fits } from './answer-form.ts';

/** The contents of the fields, by name. */
export type AnswerDraft = Readonly<Record<string, string | undefined>>;

export type AnswerProblem = 'empty' | 'nothingChosen' | 'notJson' | 'doesNotFit';

export type ComposedAnswer =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly field: string; readonly problem: AnswerProblem };

export function composeAnswer(form: AnswerForm, draft: AnswerDraft): ComposedAnswer {
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
  { decision, phase: named, text = '' }: AnswerDraft,
): ComposedAnswer {
  const comment = text.trim() === '' ? null : text.trim();
  if (decision === 'approve' || decision === 'stop')
    return answer(renderGateAnswer({ kind: decision, comment }));
  if (decision !== 'revise') return problem('decision', 'nothingChosen');
  if (comment === null) return problem('text', 'empty');
  // Without a name, the current phase is meant; it is the last one that can be revised.
  const phase = phases.find((name) => name === named && name !== revisable.at(-1)) ?? null;
  const revise: GateAnswer = { kind: 'revise', phase, comment };
  return fittingText(renderGateAnswer(revise), fits);
}

function fittingText(text: string, fits: Fits): ComposedAnswer {
  if (text === '') return problem('text', 'empty');
  return fits(text) ? answer(text) : problem('text', 'doesNotFit');
}

function composeFields(fields: readonly AnswerField[], draft: AnswerDraft): ComposedAnswer {
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

function problem(field: string, what: AnswerProblem): ComposedAnswer {
  return { kind: 'problem', field, problem: what };
}
