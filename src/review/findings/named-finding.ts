/** Reads the name of a finding, as a person types it after a report: `F2`, `2`, or the first digits of its identity. */
import { CollabError } from '../../errors/collab-error.ts';
import type { Finding } from '../../events/collab-event.ts';

/** A suppression file requires as many digits. */
const fewestDigits = 12;

/**
 * Returns the finding that `name` means. `findings` are those of one result.
 *
 * @throws CollabError `usage` if there is none, or if several identities begin with these digits
 */
export function findingNamed<Named extends Pick<Finding, 'id' | 'identity'>>(
  findings: readonly Named[],
  name: string,
): Named {
  const word = name.trim().toLowerCase();
  const [, number] = /^f?(\d{1,11})$/.exec(word) ?? [];
  const isIdentity = new RegExp(`^[0-9a-f]{${fewestDigits},64}$`).test(word);
  const fitting = findings.filter(({ id, identity }) =>
    isIdentity ? identity.startsWith(word) : number !== undefined && id === `F${Number(number)}`,
  );
  const [found] = fitting;
  if (found === undefined) throw refuse(`there is no finding "${name}"`, findings);
  if (fitting.length > 1)
    throw refuse(`"${name}" means ${fitting.length} findings: ${idsOf(fitting)}`, findings);
  return found;
}

function refuse(message: string, findings: readonly Pick<Finding, 'id'>[]): CollabError {
  return new CollabError('usage', message, {
    hint:
      findings.length === 0 ? 'This review has no findings.' : `Name one of its findings: ${idsOf(findings)}`,
  });
}

/** The number of ids in one message. */
const mostNamed = 8;

function idsOf(findings: readonly Pick<Finding, 'id'>[]): string {
  const shown = findings.slice(0, mostNamed).map(({ id }) => id);
  const last = findings.length > mostNamed ? findings.at(-1) : undefined;
  return last === undefined ? shown.join(', ') : `${shown.join(', ')} … ${last.id}`;
}
