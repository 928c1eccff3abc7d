/** Which rules look at a file, and how that is said to the reader (DESIGN §8, assurance). */
import { isTestPath, languageOf, syntaxLanguages } from './language.ts';
import type { Rule } from './rule.ts';
import { allRules } from './rules/all-rules.ts';

/**
 * The rule sets that `static_review` applies to a file, by its path: always `secret scan`, `text rules` and `change
 * rules`; `syntax rules (typescript)` and the like where there is a grammar. Where there is none the text rules are
 * called `text rules only`, so that nobody takes the file for one whose syntax was looked at.
 */
export function ruleSetsFor(path: string): readonly string[] {
  const language = languageOf(path);
  const bySyntax = syntaxLanguages.includes(language)
    ? [`syntax rules (${language})`, 'text rules']
    : ['text rules only'];
  return ['secret scan', ...bySyntax, 'change rules'];
}

/** The rules that may speak about a file; some exempt tests or scripts. */
export function rulesFor(path: string): readonly Rule[] {
  const isTest = isTestPath(path);
  return allRules.filter(
    ({ exemptTests, exemptPaths }) => !(exemptTests === true && isTest) && exemptPaths?.test(path) !== true,
  );
}
