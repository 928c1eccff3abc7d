/** The protocol in the words of a reader: what a tag says, and the names of sections. */
import type { Tag } from '../../tags/tags.ts';
import { capitalize } from '../../text/capitalize.ts';

/** Completes "<agent> …". */
export function describeTag(tag: Tag): string {
  return wordsOfTag[tag];
}

const wordsOfTag: Readonly<Record<Tag, string>> = {
  '[CONSULT:REQUIREMENTS]': 'asks about the requirements',
  '[CONSULT:DESIGN]': 'asks about the design',
  '[CONSULT:IMPLEMENTATION]': 'asks for advice on the implementation',
  '[REQUEST:REVIEW]': 'asks for a review',
  '[RESPONSE:REQUIREMENTS]': 'answers on the requirements',
  '[RESPONSE:DESIGN]': 'answers on the design',
  '[RESPONSE:IMPLEMENTATION]': 'answers on the implementation',
  '[RESPONSE:REVIEW]': 'answers with a review',
  '[CONSULT:CLAUDE:VERIFICATION]': 'asks back: is the approach right?',
  '[CONSULT:CLAUDE:CONTEXT]': 'asks back for context',
  '[RESPONSE:CLAUDE:VERIFICATION]': 'answers the question on the approach',
  '[RESPONSE:CLAUDE:CONTEXT]': 'answers with context',
  '[RESPONSE:FINDING]': 'judges the finding',
};

/** Returns `Clarification questions` for `CLARIFICATION_QUESTIONS`; other headings stay as they are. */
export function plainHeading(text: string): string {
  if (!/^[A-Z]{4,}(?:_[A-Z]+)*$/.test(text)) return text;
  return capitalize(text.replaceAll('_', ' ').toLowerCase());
}
