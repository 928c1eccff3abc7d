/** Change rules: what a hunk takes away beside what it puts there. */
import type { DiffFile, Hunk } from '../../parsers/diff/types.ts';
import { languageOf } from './language.ts';
import type { ChangeHit, Elsewhere, Rule } from './rule.ts';
import { findingAt, type RuleFinding } from './rule-finding.ts';
import { appliesTo } from './scan-text.ts';

/** A deleted file is left out: what becomes of its checks shows elsewhere. */
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
