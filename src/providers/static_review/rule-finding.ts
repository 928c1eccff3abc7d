/** A finding of one rule at one place. */
import type { DiffLine } from '../../parsers/diff/types.ts';
import type { Rejectable } from '../../secrets/secret-shape.ts';
import type { FoundByRule } from '../../prompts/request.ts';
import type { Rule } from './rule.ts';

export interface RuleFinding {
  readonly rule: Pick<Rule, 'name' | 'severity' | 'title' | 'why' | 'fix'>;
  readonly path: string;
  readonly side: 'new' | 'old';
  /** 1-based lines of `side`, both ends included; `quote` holds their text. */
  readonly startLine: number;
  readonly endLine: number;
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
  const { rule, path, side, startLine, endLine, quote, rejectable } = finding;
  const { name, severity, title, why, fix } = rule;
  return {
    rule: name,
    severity,
    title,
    why,
    fix,
    path,
    side,
    startLine,
    endLine,
    quote: quote.join('\n'),
    rejectable: rejectable !== 'never',
  };
}
