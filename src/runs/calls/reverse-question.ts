/** Turns a reverse request into a question for a person or the calling lead (X001-7). */
import { z } from 'zod';
import type { ReverseRequest } from '../../parsers/answers/answer-types.ts';
import { maxAnswerBytes } from '../../parsers/markdown/answer-size.ts';
import { reverseTags, verdictWords, type ReverseTag } from '../../tags/tags.ts';
import type { Question } from '../../engine/port.ts';

export type ReverseSections = Readonly<Record<string, string>>;

const text = z.string().min(1).max(maxAnswerBytes);

const sectionsOf = {
  '[CONSULT:CLAUDE:VERIFICATION]': z.strictObject({ VERDICT: z.enum(verdictWords), REASON: text }),
  '[CONSULT:CLAUDE:CONTEXT]': z.strictObject({ CONTEXT: text }),
} satisfies Readonly<Record<ReverseTag, z.ZodType<ReverseSections>>>;

export function reverseQuestion({ tag, text: asked }: ReverseRequest): Question<ReverseSections> {
  const sections: z.ZodType<ReverseSections> = sectionsOf[tag];
  return {
    kind: 'reverse',
    text: `${tag}\n\n${asked}`,
    schema: { title: tag, ...z.toJSONSchema(sections) },
    parse: (value) => sections.parse(value),
  };
}

/** Returns the tag of a question that `reverseQuestion` made; null for any other. */
export function tagOfQuestion(schema: unknown): ReverseTag | null {
  const title = z.looseObject({ title: z.string() }).safeParse(schema).data?.title;
  return reverseTags.find((tag) => tag === title) ?? null;
}
