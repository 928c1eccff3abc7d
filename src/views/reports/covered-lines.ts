import type { ReviewResult } from '../../review/outcome/result.ts';
import { renderCount } from '../../text/quantities.ts';

/** Number of places that are named; `result.json` has them all. */
const namedPlaces = 5;

/** Lists the kinds and places of masked secrets, on a line for the change and one for the answers. */
export function coveredLines({ covered_secrets: covered = [] }: ReviewResult): readonly string[] {
  const inChange = covered.filter((secret) => secret.in === 'change');
  const inAnswers = covered.filter((secret) => secret.in === 'answer');
  return [
    ...line('covered before anything was sent', inChange, ({ rule, path, line: number, side }) => {
      return `${path}:${number}${side === 'old' ? ' (removed)' : ''} (${rule})`;
    }),
    ...line('covered in answers', inAnswers, ({ rule, exchange }) => `${exchange} (${rule})`),
  ];
}

type Covered = NonNullable<ReviewResult['covered_secrets']>[number];

function line(
  what: string,
  secrets: readonly Covered[],
  place: (secret: Covered) => string,
): readonly string[] {
  if (secrets.length === 0) return [];
  const named = secrets.slice(0, namedPlaces).map(place).join(', ');
  const more = secrets.length - namedPlaces;
  return [`${renderCount(secrets.length, 'secret')} ${what}: ${named}${more > 0 ? ` and ${more} more` : ''}`];
}
