/** A finding of one rule at one place. */
import type { DiffLine } from '../../parsers/diff/types.ts';
import type { Rejectable } from '../../secrets/secret-shape.ts';
import type { FoundByRule } from '../../prompts/request.ts';
import { pick } from '../../text/pick.ts';
import type { Rule } from './rule.ts';

/** The lines are those of `side`, 1-based, both ends included; `quote` holds their text. */
export interface RuleFinding extends Pick<FoundByRule, 'path' | 'side' | 'startLine' | 'endLine'> {
  readonly rule: Pick<Rule, 'name' | 'severity' | 'title' | 'why' | 'fix'>;
  readonly quote: readonly string[];
  /** `never`: only the owner's suppressions reject it; `quoted_code`: so does a model that quotes contradicting code. */
  readonly rejectable: Rejectable;
}

/** Returns a finding that quotes `lines`, which are consecutive on `side`; null if one of them is not on that side. */
export function findingAt(
  rule: RuleFinding['rule'],
  path: string,
  side: 'new' | 'old',
  lines: readonly DiffLine[],
  rejectable: Rejectable = 'quoted_code',
): RuleFinding | null {
  const numbers = lines.map((line) => (side === 'new' ? line.newLine : line.oldLine));
  const [startLine, endLine] = [numbers[0] ?? null, numbers.at(-1) ?? null];
  if (startLine === null || endLine === null) return null;
  const quote = lines.map(({ text }) => text.replace(/\r$/, ''));
  return { rule, path, side, startLine, endLine, quote, rejectable };
}

/** Returns the finding as reports and requests contain it. */
export function foundByRule(finding: RuleFinding): FoundByRule & { readonly rejectable: boolean } {
  const { rule, quote, rejectable, ...place } = finding;
  return {
    rule: rule.name,
    ...pick(rule, ['severity', 'title', 'why', 'fix']),
    ...place,
    quote: quote.join('\n'),
    rejectable: rejectable !== 'never',
  };
}
