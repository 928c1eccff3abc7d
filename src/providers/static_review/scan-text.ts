/** Runs the text rules over the added lines of a text of the new side. */
import type { Language } from '../../parsers/languages/language.ts';
import { zoneAt, type TextZone } from '../../parsers/languages/text-zones.ts';
import { isTooLong } from './longest-line.ts';
import type { NewSide } from './new-side.ts';
import type { Rule, TextMatch } from './rule.ts';
import { findingAt, type RuleFinding } from './rule-finding.ts';

/** `readZones` finds the comments and strings of the text; called only if a line may match. */
export async function scanText(
  path: string,
  language: Language,
  side: NewSide,
  rules: readonly Rule[],
  readZones: () => Promise<readonly TextZone[]>,
): Promise<readonly RuleFinding[]> {
  const candidates = candidatesIn(side, language, rules);
  if (candidates.length === 0) return [];
  const zones = await readZones();
  const starts = startsOf(side.texts);
  return candidates
    .filter(({ rule, index }) => rule.exemptTests !== true || !side.isTest(index))
    .filter(({ match, index }) => match.when?.({ texts: side.texts, index }) !== false)
    .filter(({ match, index }) =>
      matchesLine(match, { text: side.texts[index] ?? '', start: starts[index] ?? 0, zones }),
    )
    .flatMap(({ rule, index }) => {
      const line = side.lines[index];
      return line === null || line === undefined ? [] : (findingAt(rule, path, 'new', [line]) ?? []);
    });
}

/** Returns true if a text or change match applies to files of that language. */
export function appliesTo(match: Pick<TextMatch, 'languages'>, language: Language): boolean {
  if (match.languages === 'any') return true;
  if (match.languages === 'code') return language !== 'prose';
  return match.languages.includes(language);
}

interface Candidate {
  readonly rule: Rule;
  readonly match: TextMatch;
  /** The line, counted from 0. */
  readonly index: number;
}

function candidatesIn(
  { texts, lines }: NewSide,
  language: Language,
  rules: readonly Rule[],
): readonly Candidate[] {
  const added = texts.flatMap((text, index) => {
    const line = lines[index];
    return line?.kind === 'added' && !isTooLong(line) ? [{ text, index }] : [];
  });
  return rules.flatMap((rule) =>
    rule.matches
      .filter((match) => match.kind === 'text')
      .filter((match) => appliesTo(match, language))
      .flatMap((match) =>
        added.filter(({ text }) => match.pattern.test(text)).map(({ index }) => ({ rule, match, index })),
      ),
  );
}

function startsOf(texts: readonly string[]): readonly number[] {
  let next = 0;
  return texts.map((text) => {
    const start = next;
    next += text.length + 1;
    return start;
  });
}

interface PlacedLine {
  readonly text: string;
  /** The line's offset in the text. */
  readonly start: number;
  readonly zones: readonly TextZone[];
}

function matchesLine(match: TextMatch, line: PlacedLine): boolean {
  const subject = subjectOf(match, line);
  if (match.unless?.test(subject) === true) return false;
  const { source, flags } = match.pattern;
  return [...subject.matchAll(new RegExp(source, `${flags}g`))].some(
    ({ index }) => match.strings === 'read' || zoneAt(line.zones, line.start + index)?.kind !== 'string',
  );
}

/** Returns the line with the parts that the match does not read as spaces. */
function subjectOf({ comments = 'skip' }: TextMatch, { text, start, zones }: PlacedLine): string {
  if (comments === 'any') return text;
  const isRead = (offset: number): boolean =>
    (zoneAt(zones, start + offset)?.kind === 'comment') === (comments === 'only');
  return text
    .split('')
    .map((char, offset) => (isRead(offset) ? char : ' '))
    .join('');
}
