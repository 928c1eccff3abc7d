/** Turns an answer as a person wrote it into the value that a run's question takes. Masks secrets in it. */
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import type { ReverseTag } from '../../tags/tags.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { reader } from '../reading/reader.ts';
import { tagOfQuestion } from './reverse-question.ts';

interface Asked {
  readonly name: string;
  /** JSON Schema of the answer. */
  readonly schema: unknown;
}

/** @throws CollabError `input` naming the problem and how to write the answer; then nothing is recorded */
export async function takeAnswer(asked: Asked, written: string): Promise<unknown> {
  const text = masked(written);
  const tag = tagOfQuestion(asked.schema);
  if (tag !== null) return reverseValue(tag, text);
  const answer = text.trim();
  if (answer === '') throw new CollabError('input', 'the answer is empty');
  if (takesText(asked.schema)) return fitting(asked, answer);
  try {
    return z.json().parse(JSON.parse(answer));
  } catch (cause) {
    throw new CollabError('input', `the answer to ${asked.name} is not JSON`, {
      hint: `its JSON Schema: ${JSON.stringify(asked.schema)}`,
      cause,
    });
  }
}

/** Returns the answer if it fits; otherwise the error says in words what the JSON Schema says in a pattern. */
function fitting({ name, schema }: Asked, answer: string): string {
  const { pattern, enum: words } = formSchema.safeParse(schema).data ?? {};
  const fits = words?.includes(answer) ?? (pattern === undefined || new RegExp(pattern, 'u').test(answer));
  if (fits) return answer;
  const begin = answer.length > 40 ? `${answer.slice(0, 40)}…` : answer;
  throw new CollabError('input', `${JSON.stringify(begin)} is not an answer to ${name}`, {
    hint: `write ${howToWrite({ name, schema })}`,
  });
}

/** Returns how to write an answer, as the text after "write". */
export function howToWrite({ schema }: Asked): string {
  const tag = tagOfQuestion(schema);
  if (tag !== null) return formOf(tag);
  const { description, enum: words } = formSchema.safeParse(schema).data ?? {};
  return description ?? words?.join(' or ') ?? 'what it asks for';
}

const formSchema = z.looseObject({
  description: z.string().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.string()).optional(),
});

/**
 * Reads the answer to a reverse request. Rejects one that is itself a reverse request; `details.nested` names its tag
 * (X001-8).
 */
async function reverseValue(tag: ReverseTag, text: string): Promise<Readonly<Record<string, string>>> {
  const reading = await reader.reverseAnswer(text, tag);
  switch (reading.kind) {
    case 'answered':
      return reading.sections;
    case 'nested':
      throw new CollabError('input', `the answer asks back with ${reading.tag}, which is not allowed`, {
        hint: `answer ${tag} with the facts that you know, and say what you do not know`,
        details: { nested: reading.tag },
      });
    case 'unreadable':
      throw new CollabError('input', `the answer ${reading.problem}`, { hint: `write ${formOf(tag)}` });
  }
}

function formOf(tag: ReverseTag): string {
  switch (tag) {
    case '[CONSULT:CLAUDE:VERIFICATION]':
      return 'two sections: "## VERDICT" with approve, revise or reject, and "## REASON"';
    case '[CONSULT:CLAUDE:CONTEXT]':
      return 'the context, in any Markdown';
  }
}

function takesText(schema: unknown): boolean {
  const { type, enum: words } = textSchema.safeParse(schema).data ?? {};
  return type === 'string' || (Array.isArray(words) && words.every((word) => typeof word === 'string'));
}

const textSchema = z.looseObject({ type: z.unknown().optional(), enum: z.unknown().optional() });
