/** Gives findings numbers that stay over the rounds of a pull request, and recognizes the dismissed ones by them. */
import type { Finding } from '../../events/collab-event.ts';
import { whyNotDismissed, type GraveParts } from '../../review/dismissals/dismissal.ts';
import { compareSeverity } from '../../tags/severities.ts';
import { shortIdentity, type MarkedFinding, type NumberedFinding, type RoundDismissal } from './marks.ts';
import type { OwnThread, PlacedFinding, RoundFacts } from './plan-round.ts';

/** A finding with the one that its thread is about; null: it has no thread. */
export interface NumberedPlace {
  readonly one: PlacedFinding;
  readonly marked: MarkedFinding | null;
}

export interface Numbers {
  readonly numberOf: ReadonlyMap<Finding, number>;
  readonly next: number;
  /** The findings whose number no thread has. */
  readonly numbers: NumberedFinding[];
}

interface KnownNumbers {
  readonly threads: readonly OwnThread[];
  readonly kept: readonly NumberedFinding[];
  readonly next: number;
  readonly dismissals: readonly RoundDismissal[];
}

/** A comment has a limit: above it, findings without a thread get new numbers in the next round. */
const mostNumbers = 80;
const longestTitle = 80;

/** Threads have their number themselves, so that a round that was killed before its summary loses none. */
export function numberFindings(places: readonly NumberedPlace[], known: KnownNumbers): Numbers {
  const { kept } = known;
  const byIdentity = new Map(kept.map((one) => [one.identity, one.number]));
  const numberOf = new Map<Finding, number>();
  const numbers = new Map(kept.map((one) => [one.identity, one]));
  let next = nextNumber(known);
  for (const { one, marked } of places) {
    if (one.at === 'held_back') continue;
    const { finding } = one;
    const identity = shortIdentity(marked?.identity ?? finding.identity);
    const number = marked?.number ?? byIdentity.get(identity) ?? next++;
    numberOf.set(finding, number);
    numbers.delete(identity);
    if (marked?.number === undefined) numbers.set(identity, numberedFinding(finding, identity, number));
  }
  return { numberOf, next, numbers: [...numbers.values()].slice(-mostNumbers) };
}

function nextNumber({ threads, kept, next, dismissals }: KnownNumbers): number {
  const used = [
    ...threads.map(({ finding }) => finding.number ?? 0),
    ...kept.map(({ number }) => number),
    ...dismissals.map(({ number }) => number),
  ];
  return used.reduce((most, number) => Math.max(most, number + 1), next);
}

function numberedFinding(finding: Finding, identity: string, number: number): NumberedFinding {
  const { severity, title } = finding;
  const isSecret = whyNotDismissed(finding) === 'a secret';
  return {
    identity,
    number,
    severity,
    title: title.slice(0, longestTitle),
    ...(isSecret ? { rejectable: false } : {}),
  };
}

/** A comment has a limit: the newest ones are kept in the state, the threads have the others. */
const mostDismissals = 80;

/** Returns all dismissals of the pull request: in threads, in the conversation, in the state. */
export function dismissalsOf({
  threads,
  last,
  dismissed,
}: Pick<RoundFacts, 'threads' | 'last' | 'dismissed'>): readonly RoundDismissal[] {
  const all = [
    ...(last?.dismissed ?? []),
    ...dismissed,
    ...threads.flatMap((thread) => thread.dismissed ?? []),
  ];
  return [...new Map(all.map((one) => [one.identity, one])).values()].slice(-mostDismissals);
}

/** Returns null if the finding is not dismissed, is worse than the dismissed one, or is one that is never dismissed. */
export function findDismissal(
  dismissals: readonly RoundDismissal[],
  finding: GraveParts & Pick<Finding, 'identity'>,
  marked: Pick<MarkedFinding, 'identity'> | null,
): RoundDismissal | null {
  const identities = [finding.identity, marked?.identity ?? finding.identity].map(shortIdentity);
  const found = dismissals.find(({ identity }) => identities.includes(identity));
  if (found === undefined || whyNotDismissed(finding) !== null) return null;
  return compareSeverity(finding.severity, found.severity) < 0 ? null : found;
}
