/** Compares two saved results, fault by fault. Pure. */
import { runsOf, renderSpread, scoreResults } from './report.ts';
import type { SavedResults } from './scores/saved-results.ts';

export function renderComparison(before: SavedResults, after: SavedResults): string {
  const [former, later] = [foundShares(before), foundShares(after)];
  const lines = [...later].flatMap(([fault, share]) => {
    const earlier = former.get(fault);
    if (earlier === undefined || earlier === share) return [];
    return [
      `${share > earlier ? '+' : '-'} ${fault}: found in ${rounded(earlier)} of the runs, then in ${rounded(share)}`,
    ];
  });
  const sides = [before, after].map((results) => runsOf(results, scoreResults(results)));
  const [one = [], other = []] = sides;
  const figure = (name: 'recall' | 'precision'): string =>
    `${name}: ${renderSpread(one.map((run) => run[name]))}, then ${renderSpread(other.map((run) => run[name]))}`;
  return [...lines, figure('recall'), figure('precision'), ''].join('\n');
}

/** For each fault, the share of the runs that found it. */
function foundShares(results: SavedResults): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const { change, faults, byBoth } of scoreResults(results))
    for (const fault of faults) {
      const name = `${change}: ${fault.text.split('\n')[0]}`;
      const isFound = byBoth?.pairs.some(({ fault: { id } }) => id === fault.id) === true;
      shares.set(name, (shares.get(name) ?? 0) + (isFound ? 1 / results.runs : 0));
    }
  return shares;
}

function rounded(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
