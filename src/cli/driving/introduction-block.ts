/** The first lines of a run at a terminal: a title, and below it each fact with its label. */
import type { Introduction } from '../../runs/introduction.ts';
import { renderFields, type Field } from '../../views/tables/field-list.ts';
import { neutralLine } from '../../text/neutral-line.ts';
import { createPaint } from '../../text/paint.ts';
import { paintLine, plain, styled, wrapSpans, type Line } from '../../text/spans.ts';
import type { Session } from '../session.ts';
import { introductionFacts, type IntroducedFact } from './introduction-facts.ts';

export function printIntroduction(
  { err, screen }: Pick<Session, 'err' | 'screen'>,
  facts: Introduction,
): void {
  const paint = createPaint(screen.color.err);
  const lines = introductionBlock(facts, screen.columns);
  err(lines.map((line) => `${paintLine(line, paint)}\n`).join(''));
}

export function introductionBlock(facts: Introduction, columns: number): readonly Line[] {
  const { title, groups } = introductionFacts(facts);
  return [
    ...wrapSpans([styled(neutralLine(title), 'bold')], columns),
    ...renderFields(fieldsOf(groups.flat()), columns),
    [],
  ];
}

/** Facts with the same label follow each other under one. */
function fieldsOf(facts: readonly IntroducedFact[]): readonly Field[] {
  return facts.map(({ label, text }, index) => ({
    label: facts[index - 1]?.label === label ? '' : label,
    text: [plain(neutralLine(text))],
  }));
}
