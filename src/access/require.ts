/** The check of `may`, as an exception for callers that continue or stop. */
import { CollabError } from '../errors/collab-error.ts';
import { withNeeded } from './grant-syntax.ts';
import { may, type Act, type Answer } from './permissions.ts';
import { guestOf, type Speaker } from './speaker.ts';

/** `what` names the request in the caller's own terms, such as `--report`. @throws CollabError `forbidden` */
export function requireMay(speaker: Speaker, action: Act | null, what: string): void {
  const answer = may(speaker, action);
  if (!answer.allowed) throw forbiddenError(speaker, what, answer);
}

export function forbiddenError(
  speaker: Speaker,
  what: string,
  { grant, needsToken }: Omit<Extract<Answer, { allowed: false }>, 'allowed'>,
): CollabError {
  const where = needsToken === true ? ` on a server that requires no token` : '';
  return new CollabError('forbidden', `${what} is not for ${whoIs(speaker)}${where}`, {
    hint: remedyFor(speaker, grant, needsToken === true),
    details: { grant },
  });
}

function remedyFor(speaker: Speaker, grant: string | null, needsToken: boolean): string {
  if (grant === null) return 'No grant allows it: ask the owner of the server to do it.';
  const create = `collab serve token create --tenant ${nameOf(speaker)} --may ${withNeeded(grant)}`;
  if (!needsToken) return `The owner of the server can grant it: ${create}`;
  return `A command could call this server as its owner. The owner can start it with --require-token and grant it: ${create}`;
}

function nameOf(speaker: Speaker): string {
  return guestOf(speaker)?.tenant ?? '<name>';
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
