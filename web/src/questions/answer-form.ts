/** Derives a form from a question's JSON Schema. The server decides what fits; a form only helps to write it. */
import { phases, type Phase } from '../../../src/client/questions.ts';
import { isRecord } from '../../../src/client/read-json.ts';

export type AnswerForm =
  /** Continue, change something, or stop. */
  | { readonly kind: 'approval'; readonly revisable: readonly Phase[]; readonly fits: Fits }
  /** Apply the changes to the user's files, or not. */
  | { readonly kind: 'apply' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'text'; readonly hint: string | null; readonly fits: Fits }
  /** Named fields, as for an advisor's question. */
  | { readonly kind: 'fields'; readonly title: string | null; readonly fields: readonly AnswerField[] }
  /** Anything else is written as JSON. */
  | { readonly kind: 'json'; readonly schema: string };

export interface AnswerField {
  readonly name: string;
  /** The choices; null for a text. */
  readonly options: readonly string[] | null;
  readonly required: boolean;
}

export type Fits = (text: string) => boolean;

export function answerFormOf(schema: unknown): AnswerForm {
  const parts = isRecord(schema) ? schema : {};
  const options = wordsOf(parts['enum']);
  if (options !== null) return { kind: 'choice', options };
  if (parts['type'] === 'string') return textForm(parts);
  const fields = fieldsOf(parts);
  if (fields !== null) return { kind: 'fields', title: stringOf(parts['title']), fields };
  return { kind: 'json', schema: JSON.stringify(schema, null, 2) ?? 'null' };
}

function textForm(parts: JsonRecord): AnswerForm {
  const fits = patternOf(parts);
  if (parts['title'] === 'approval') {
    // The schema accepts "revise <phase>" for those phases that can still be revised.
    const revisable = phases.filter((phase) => fits(`revise ${phase}: this`));
    return { kind: 'approval', revisable, fits };
  }
  if (parts['title'] === 'apply') return { kind: 'apply' };
  return { kind: 'text', hint: stringOf(parts['description']), fits };
}

function patternOf({ pattern, minLength, maxLength }: JsonRecord): Fits {
  const expression = expressionOf(pattern);
  return (text) =>
    expression.test(text) &&
    (typeof minLength !== 'number' || text.trim().length >= minLength) &&
    (typeof maxLength !== 'number' || text.length <= maxLength);
}

/** For a pattern that the browser cannot read, the server decides. */
function expressionOf(pattern: unknown): RegExp {
  try {
    return new RegExp(typeof pattern === 'string' ? pattern : '', 'u');
  } catch {
    return /(?:)/u;
  }
}

/** Returns null if a field is neither a text nor a choice. */
function fieldsOf({ type, properties, required }: JsonRecord): readonly AnswerField[] | null {
  if (type !== 'object' || !isRecord(properties)) return null;
  const needed = wordsOf(required) ?? [];
  const fields = Object.entries(properties).map(([name, property]) => {
    const parts = isRecord(property) ? property : {};
    const options = wordsOf(parts['enum']);
    if (options === null && parts['type'] !== 'string') return null;
    return { name, options, required: needed.includes(name) };
  });
  const known = fields.filter((field) => field !== null);
  return known.length === fields.length && known.length > 0 ? known : null;
}

type JsonRecord = Readonly<Record<string, unknown>>;

function wordsOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
    ? value
    : null;
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
