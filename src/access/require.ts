/** The check of `may`, as an exception for callers that continue or stop. */
import { CollabError } from '../errors/collab-error.ts';
import { withNeeded } from './grant-syntax.ts';
import { may, type Act } from './permissions.ts';
import type { Speaker } from './speaker.ts';

/** `what` names the request in the caller's own terms, such as `--report`. @throws CollabError `forbidden` */
export function requireMay(speaker: Speaker, action: Act | null, what: string): void {
  const answer = may(speaker, action);
  if (!answer.allowed) throw forbiddenError(speaker, what, answer.grant);
}

export function forbiddenError(speaker: Speaker, what: string, grant: string | null): CollabError {
  const remedy =
    grant === null
      ? 'No grant allows it: ask the owner of the server to do it.'
      : `The owner of the server can grant it: collab serve token create --tenant ${nameOf(speaker)} --may ${withNeeded(grant)}`;
  return new CollabError('forbidden', `${what} is not for ${whoIs(speaker)}`, {
    hint: remedy,
    details: { grant },
  });
}

function nameOf(speaker: Speaker): string {
  return speaker.kind === 'guest' ? speaker.tenant : '<name>';
}

function whoIs(speaker: Speaker): string {
  switch (speaker.kind) {
    case 'guest':
      return `the tenant ${speaker.tenant}`;
    case 'host':
      return 'the calling agent';
    case 'owner':
      return 'the owner';
    default:
      return `a ${speaker.kind}`;
  }
}
