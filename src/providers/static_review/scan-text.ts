/** Runs the text rules over the added lines of a hunk. */
import type { Hunk } from '../../parsers/diff/types.ts';
import { isTooLong } from './longest-line.ts';
import { commentOf, isCommentLine, type Language } from './language.ts';
import type { Rule, TextMatch } from './rule.ts';
import { findingAt, type RuleFinding } from './rule-finding.ts';

export function scanText(
  path: string,
  language: Language,
  hunk: Hunk,
  rules: readonly Rule[],
): readonly RuleFinding[] {
  const added = hunk.lines.filter((line) => line.kind === 'added' && !isTooLong(line));
  return rules.flatMap((rule) => {
    const matches = rule.matches
      .filter((match) => match.kind === 'text')
      .filter((match) => appliesTo(match, language));
    return added
      .filter(({ text }) => matches.some((match) => matchesLine(match, text, language)))
      .flatMap((line) => findingAt(rule, path, 'new', [line]) ?? []);
  });
}

/** Returns true if a text or change match applies to files of that language. */
export function appliesTo(match: Pick<TextMatch, 'languages'>, language: Language): boolean {
  if (match.languages === 'any') return true;
  if (match.languages === 'code') return language !== 'prose';
  return match.languages.includes(language);
}

function matchesLine(match: TextMatch, text: string, language: Language): boolean {
  const subject = subjectOf(match, text, language);
  return subject !== null && match.pattern.test(subject) && match.unless?.test(subject) !== true;
}

/** Returns the part of the line that the match reads; null if there is none. */
function subjectOf({ comments = 'skip' }: TextMatch, text: string, language: Language): string | null {
  if (comments === 'any') return text;
  if (comments === 'only') return commentOf(text, language);
  return isCommentLine(text, language) ? null : text;
}
