/** The kinds of findings that people dismissed several times: what a reviewer can learn from dismissals. */
import { posix } from 'node:path';
import { z } from 'zod';
import { claimClasses } from '../../tags/claims.ts';
import { groupBy } from '../group-by.ts';
import type { Dismissal } from './dismissal.ts';
import { inShort } from '../../text/in-short.ts';

export const dismissedKindSchema = z.object({
  /** The id of the rule; null for findings of models, which are of a class in a folder. */
  rule: z.string().nullable(),
  claim: z.enum(claimClasses).nullable(),
  /** `.` is the top folder; null for a rule, which is the same everywhere. */
  folder: z.string().nullable(),
  /** The number of findings. */
  count: z.int().positive(),
  /** Some of them, the latest first. */
  examples: z.array(z.object({ title: z.string(), reason: z.string() })),
});
export type DismissedKind = Readonly<z.infer<typeof dismissedKindSchema>>;

/** Fewer are a coincidence. */
const fewestOfAKind = 3;
const mostKinds = 8;
const mostExamples = 3;
/** In characters: all kinds are in each request. */
const mostTitle = 200;
const mostReason = 300;

/** Returns the kinds with at least three dismissals, the largest first. A finding without rule and class is of no kind. */
export function dismissedKinds(dismissals: readonly Dismissal[]): readonly DismissedKind[] {
  const groups = groupBy(
    dismissals.filter((dismissal) => kindOf(dismissal) !== null),
    (dismissal) => JSON.stringify(kindOf(dismissal)),
  );
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      const kind = first === undefined ? null : kindOf(first);
      if (kind === null || group.length < fewestOfAKind) return [];
      const latest = group.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, mostExamples);
      const examples = latest.map(({ title, reason }) => ({
        title: inShort(title, mostTitle),
        reason: inShort(reason, mostReason),
      }));
      return [{ ...kind, count: group.length, examples }];
    })
    .toSorted((one, other) => other.count - one.count)
    .slice(0, mostKinds);
}

function kindOf({ source, claim, path }: Dismissal): Pick<DismissedKind, 'rule' | 'claim' | 'folder'> | null {
  if (source !== undefined) return { rule: source.replace(/^(?:rule|tool):/, ''), claim: null, folder: null };
  if (claim === undefined || path === null) return null;
  return { rule: null, claim, folder: posix.dirname(path) };
}
