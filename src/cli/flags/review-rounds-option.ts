import { countText } from '../../config/flag-text.ts';
import { mostReviewRounds } from '../../config/settings.ts';
import { takes } from './flag-values.ts';
import { NamedOption } from './setting-flags.ts';

/** The flag `--max-review-rounds` of the commands in which a lead works. */
export function reviewRoundsOption(): NamedOption {
  const flag = '--max-review-rounds';
  return new NamedOption('max_review_rounds', `${flag} <n>`, 'limit the number of reviews').argParser(
    takes(flag, countText({ most: mostReviewRounds })),
  );
}
