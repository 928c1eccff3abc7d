/** Finds the findings of a pull request by the numbers that its comments show. */
import type { GraveParts } from '../../review/dismissals/dismissal.ts';
import type { RoundDismissal, RoundState } from '../round/marks.ts';
import { shortIdentity } from '../round/marks.ts';
import { dismissalsOf } from '../round/number-findings.ts';
import type { OwnThread } from '../round/plan-round.ts';
import type { RoundOnHost } from '../round/round-host.ts';

export interface PullFinding extends GraveParts {
  /** The first digits of its identity. */
  readonly identity: string;
  readonly number: number;
  /** Two runs at the same time may have begun one each; none for a finding that only the summary has. */
  readonly threads: readonly OwnThread[];
  readonly isGone: boolean;
  readonly dismissal: RoundDismissal | null;
}

/** Lists one finding for each identity, by number. */
export function findingsOfPull(found: RoundOnHost, last: RoundState | null): readonly PullFinding[] {
  const gone = new Set((last?.gone ?? []).map(shortIdentity));
  const dismissals = new Map(dismissalsOf({ ...found, last }).map((one) => [one.identity, one]));
  const facts = (identity: string) => ({
    identity,
    isGone: gone.has(identity),
    dismissal: dismissals.get(identity) ?? null,
  });
  const numbers = new Map((last?.numbers ?? []).map((one) => [one.identity, one]));
  const threads = new Map<string, OwnThread[]>();
  for (const thread of found.threads) {
    const identity = shortIdentity(thread.finding.identity);
    threads.set(identity, [...(threads.get(identity) ?? []), thread]);
  }
  const inThreads = [...threads].flatMap(([identity, own]) => {
    const [first] = own;
    const number = own.find(({ finding }) => finding.number !== undefined)?.finding.number;
    const known = number ?? numbers.get(identity)?.number;
    if (first === undefined || known === undefined) return [];
    return [{ ...first.finding, ...facts(identity), number: known, threads: own }];
  });
  const others = [...numbers.values()]
    .filter(({ identity }) => !threads.has(identity))
    .map((one) => ({ ...one, ...facts(one.identity), threads: [] }));
  return [...inThreads, ...others].toSorted((left, right) => left.number - right.number);
}

/** The finding that a command names. */
export type Chosen = { readonly finding: PullFinding } | { readonly refusal: string };

/** Refuses a number that no finding has, or several, or one that is gone. */
export function findNumbered(all: readonly PullFinding[], number: number): Chosen {
  const [finding, ...more] = all.filter((one) => one.number === number);
  if (finding === undefined) return { refusal: `There is no finding F${number} here.${nameOpen(all)}` };
  if (more.length > 0) {
    const why = 'because two reviews ran at the same time';
    return { refusal: `F${number} means ${more.length + 1} findings, ${why}. Use their threads instead.` };
  }
  return finding.isGone ? { refusal: `F${number} is gone already.` } : { finding };
}

const mostNamed = 10;

/** ` Open: F1, F2, ….`; empty if none is open. */
function nameOpen(all: readonly PullFinding[]): string {
  const open = all.filter(({ isGone, dismissal }) => !isGone && dismissal === null);
  const names = open.slice(0, mostNamed).map(({ number }) => `F${number}`);
  const more = open.length > names.length ? ', …' : '';
  return names.length === 0 ? '' : ` Open: ${names.join(', ')}${more}.`;
}
