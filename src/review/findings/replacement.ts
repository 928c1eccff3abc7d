/** Decides whether the replacement in an answer can take the place of exactly the lines that its issue quotes. */
import type { Finding } from '../../events/collab-event.ts';
import { withoutCarriageReturn } from '../../parsers/diff/lines.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import { seemsMasked } from '../../secrets/text-range.ts';
import { makeVisible } from '../../text/neutralise.ts';
import { comparable, isEllipsis, readNumbered, withoutMarks } from './anchor-quote.ts';
import type { PlacedIssue } from './anchors.ts';

/** Returns the fields of the finding; none if the answer proposes nothing or the same lines again. */
export function replacementOf({
  issue: { quote, replacement },
  place,
}: PlacedIssue): Pick<Finding, 'replacement' | 'replacement_unused'> {
  if (replacement === undefined) return {};
  if (seemsMasked(replacement) || maskSecrets(replacement).found.length > 0)
    return { replacement_unused: 'masked' };
  const written = [quote?.text, quote?.literal].flatMap((text) => (text === undefined ? [] : [text]));
  const replaced = place.quote ?? '';
  const isExact = place.placement === 'exact' && place.side === 'new';
  if (!isExact || !written.some((text) => sameLines(text, replaced)))
    return { replacement_unused: 'quotation' };
  if (isUnclear(replacement.split('\n'), replaced.split('\n').map(withoutCarriageReturn)))
    return { replacement_unused: 'unclear' };
  return sameLines(replacement, replaced) ? {} : { replacement };
}

/** All lines: a quotation with an omission, line numbers or other blank lines is not what would be replaced. */
function sameLines(one: string, other: string): boolean {
  const [lines, others] = [one, other].map((text) => text.split('\n').map(comparable).join('\n'));
  return lines === others;
}

function isUnclear(lines: readonly string[], replaced: readonly string[]): boolean {
  const isNew = (line: string): boolean => !replaced.includes(line);
  return (
    [...lines, ...replaced].some((line) => makeVisible(line) !== line) ||
    lines.some((line) => isNew(line) && (isEllipsis(line) || commentedOmission.test(line))) ||
    (withoutMarks(lines) !== null && withoutMarks(replaced) === null) ||
    (readNumbered(lines.join('\n')).length > 0 && readNumbered(replaced.join('\n')).length === 0)
  );
}

/** `// … the rest as before`, `# ... unchanged ...` */
const commentedOmission = /^\s*\{?\s*(?:\/\/|#|\/\*|--|<!--)\s*(?:\.{3}|…)/u;
