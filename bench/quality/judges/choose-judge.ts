/** Finds the judge that the user named. */
import type { KnownFault } from '../sets/benchmark-set.ts';
import { QualityError } from '../sets/benchmark-set.ts';
import { commandJudge } from './command-judge.ts';
import type { Judge } from './judge.ts';
import { wordsJudge } from './words-judge.ts';

export interface ChosenJudge {
  readonly name: string;
  /** Null if the judge asks nobody: `words`, and `none`. */
  readonly judge: Judge | null;
}

/** Default: words if every fault lists some, else none. @throws QualityError */
export function chooseJudge(choice: string | null, faults: readonly KnownFault[]): ChosenJudge {
  const hasWords = faults.every(({ words }) => words.length > 0);
  const name = choice ?? (hasWords ? wordsJudge : 'none');
  if (name === wordsJudge && !hasWords)
    throw new QualityError('the judge "words" needs a set that lists words', 'Choose command:<line>.');
  if (name === wordsJudge || name === 'none') return { name, judge: null };
  if (name.startsWith('command:')) return { name, judge: commandJudge(name.slice('command:'.length)) };
  throw new QualityError(`there is no judge "${name}"`, 'Choose words, none or command:<line>.');
}
