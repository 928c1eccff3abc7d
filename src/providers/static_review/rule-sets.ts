/** Selects the rules for a file, and names them in the report (assurance). */
import { isTestPath } from '../../secrets/test-path.ts';
import { languageOf } from '../../parsers/languages/language.ts';
import type { RuleSet } from '../../config/settings.ts';
import type { Rule } from './rule.ts';
import { allRules } from './rules/all-rules.ts';
import { syntaxLanguages } from './syntax-tree.ts';

/**
 * Returns the names of the rule sets that `static_review` applies to a file, by its path: always `secret scan`, `text rules`
 * and `change rules`; also `syntax rules (typescript)` or similar if there is a grammar. Without one, the text rules are named
 * `text rules only`, so that the reader does not assume a syntax check.
 */
export function ruleSetsFor(path: string): readonly string[] {
  const language = languageOf(path);
  const bySyntax = syntaxLanguages.includes(language)
    ? [`syntax rules (${language})`, 'text rules']
    : ['text rules only'];
  return ['secret scan', ...bySyntax, 'change rules'];
}

/** Returns the rules of the set that apply to a file; some exempt tests or scripts. */
export function rulesFor(path: string, set: RuleSet): readonly Rule[] {
  const isTest = isTestPath(path);
  return allRules.filter(
    ({ onRequest, exemptTests, exemptPaths }) =>
      (set === 'all' || onRequest !== true) &&
      !(exemptTests === true && isTest) &&
      exemptPaths?.test(path) !== true,
  );
}
