/** The gates of a workflow as questions: their schemas define the valid answers and how to write them. */
import { z } from 'zod';
import { gateAnswerForm, gateAnswerPattern } from '../../parsers/answers/gate-answer.ts';
import type { Phase } from '../../tags/tags.ts';
import type { Question } from '../../engine/port.ts';

const gates = ['approval', 'apply'] as const;
export type Gate = (typeof gates)[number];

/** The last sentence of a gate's text: what is to be decided. */
export const gateDecisions: Readonly<Record<Gate, string>> = {
  approval: 'Do you approve?',
  apply: 'Apply these changes to your own files?',
};

/** Asks whether to continue after the result of a phase. `parse` gets only answers that match the schema. */
export function approvalQuestion<Value>(
  phase: Phase,
  text: string,
  parse: (answer: string) => Value,
): Question<Value> {
  return gateQuestion('approval', {
    text,
    pattern: gateAnswerPattern(phase),
    description: gateAnswerForm(phase),
    parse,
  });
}

/** Asks whether to apply the changes to the user's own files. */
export function applyQuestion(text: string): Question<boolean> {
  return gateQuestion('apply', {
    text,
    pattern: String.raw`^\s*(?:[Aa][Pp][Pp][Ll][Yy]|[Ll][Ee][Aa][Vv][Ee])\b`,
    description: 'apply or leave',
    parse: accepts,
  });
}

/** Returns true if the answer to the question lets edits into the user's own files. */
export function letsEditsIn(question: Pick<Question<unknown>, 'kind' | 'schema'>, answer: unknown): boolean {
  return gateOf(question) === 'apply' && typeof answer === 'string' && accepts(answer);
}

function accepts(answer: string): boolean {
  return /^\s*apply\b/i.test(answer);
}

/** Returns the gate of a question; null for any other question. */
export function gateOf({ kind, schema }: Pick<Question<unknown>, 'kind' | 'schema'>): Gate | null {
  if (kind !== 'gate') return null;
  const title = z.looseObject({ title: z.string() }).safeParse(schema).data?.title;
  return gates.find((gate) => gate === title) ?? null;
}

interface GateText<Value> {
  readonly text: string;
  readonly pattern: string;
  readonly description: string;
  readonly parse: (answer: string) => Value;
}

function gateQuestion<Value>(
  title: Gate,
  { text, pattern, description, parse }: GateText<Value>,
): Question<Value> {
  const fitting = z.string().regex(new RegExp(pattern));
  return {
    kind: 'gate',
    text,
    schema: { title, type: 'string', pattern, description },
    parse: (value) => parse(fitting.parse(value)),
  };
}
