/** The kinds of secrets that were masked in answers, never their values. */
import type { ExchangeOutput } from '../../machine/exchange/exchange-types.ts';
import type { CoveredSecret } from '../../review/outcome/result.ts';

export function coveredInAnswers(exchanges: readonly ExchangeOutput[]): readonly CoveredSecret[] {
  return exchanges.flatMap(({ name, turns }) =>
    turns.flatMap(({ covered = [] }) =>
      covered.map((rule): CoveredSecret => ({
        in: 'answer',
        rule,
        path: null,
        side: null,
        line: null,
        exchange: name,
      })),
    ),
  );
}
