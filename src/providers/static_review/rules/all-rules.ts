/** Lists every rule of `static_review` except the secret scan, grouped like the files beside this one. */
import type { Rule } from '../rule.ts';
import { browserRules } from './browser.ts';
import { conditionRules } from './conditions.ts';
import { credentialRules } from './credentials.ts';
import { hiddenTextRules } from './hidden-text.ts';
import { injectionRules } from './injection.ts';
import { leftoverRules } from './leftovers.ts';
import { operationRules } from './operations.ts';
import { promiseRules } from './promises.ts';
import { replacedCodeRules } from './replaced-code.ts';
import { valueRules } from './values.ts';

export const allRules: readonly Rule[] = [
  ...injectionRules,
  ...hiddenTextRules,
  ...credentialRules,
  ...browserRules,
  ...promiseRules,
  ...conditionRules,
  ...valueRules,
  ...leftoverRules,
  ...operationRules,
  ...replacedCodeRules,
];
