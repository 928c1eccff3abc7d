/** Runs the change rules: a hunk's removed lines compared with its added ones. */
import type { DiffFile, Hunk } from '../../parsers/diff/types.ts';
import { languageOf } from '../../parsers/languages/language.ts';
import type { ChangeHit, Elsewhere, Rule } from './rule.ts';
import { findingAt, type RuleFinding } from './rule-finding.ts';
import { appliesTo } from './scan-text.ts';

/** Leaves out a deleted file: what replaces its checks is in other files. */
export function scanReplaced(
  file: DiffFile,
  hunk: Hunk,
  rules: readonly Rule[],
  elsewhere: Elsewhere,
): readonly RuleFinding[] {
  if (file.change === 'deleted') return [];
  const language = languageOf(file.path);
  return rules.flatMap((rule) =>
    rule.matches
      .filter((match) => match.kind === 'change')
      .filter((match) => appliesTo(match, language))
      .flatMap((match) => place(rule, file, hunk, match.find(hunk, elsewhere))),
  );
}

function place(rule: Rule, file: DiffFile, hunk: Hunk, hits: readonly ChangeHit[]): readonly RuleFinding[] {
  return hits.flatMap(({ side, line }) => {
    const quoted = hunk.lines.filter((candidate) =>
      side === 'new' ? candidate.newLine === line : candidate.oldLine === line,
    );
    return findingAt(rule, file.path, side, quoted) ?? [];
  });
}
