/** Writes the matches of rules in a line or two. */
import type { NapiConfig } from '@ast-grep/napi';
import type { SyntaxMatch, TextMatch } from '../rule.ts';

type NodeRule = NapiConfig['rule'];
type SyntaxOptions = Pick<SyntaxMatch, 'languages' | 'when'> & Pick<NapiConfig, 'constraints'>;

/** `rule` is a pattern, a list of patterns of which any may match, or a rule of ast-grep. */
export function syntaxMatch(
  mentions: RegExp,
  rule: string | readonly string[] | NodeRule,
  { constraints, ...options }: SyntaxOptions = {},
): SyntaxMatch {
  const config = { rule: nodeRule(rule), ...(constraints === undefined ? {} : { constraints }) };
  return { kind: 'syntax', mentions, config, ...options };
}

function nodeRule(rule: string | readonly string[] | NodeRule): NodeRule {
  if (typeof rule === 'string') return { pattern: rule };
  return isList(rule) ? { any: rule.map((pattern) => ({ pattern })) } : rule;
}

function isList(rule: readonly string[] | NodeRule): rule is readonly string[] {
  return Array.isArray(rule);
}

export function textMatch(
  languages: TextMatch['languages'],
  pattern: RegExp,
  options: Pick<TextMatch, 'unless' | 'when' | 'comments' | 'strings'> = {},
): TextMatch {
  return { kind: 'text', languages, pattern, ...options };
}
