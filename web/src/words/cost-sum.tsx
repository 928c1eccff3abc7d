import type { ReactElement } from 'react';
import type { RunSummary } from '../../../src/client/run-types.ts';
import { useFormat } from './format.ts';
import { useWords } from './language.tsx';
import { shellWords } from './shell-words.ts';

type Priced = Pick<RunSummary, 'state' | 'cost_usd'>;

/** The cost of runs that have ended: the sum of the known ones, and how many are not known. */
export function CostSum({
  label,
  runs,
}: {
  readonly label: string;
  readonly runs: readonly Priced[];
}): ReactElement | null {
  const words = useWords(shellWords);
  const format = useFormat();
  const ended = runs.filter(({ state }) => state === 'ended');
  if (ended.length === 0) return null;
  const known = ended.flatMap(({ cost_usd: usd }) => (typeof usd === 'number' ? [usd] : []));
  const unknown = ended.length - known.length;
  const sum = known.reduce((total, usd) => total + usd, 0);
  return (
    <p className="quiet">
      {label}: {known.length === 0 ? words.notKnown : format.usd(sum)}
      {known.length > 0 && unknown > 0 && ` ${words.unknownRuns(format.count(unknown))}`}
    </p>
  );
}
