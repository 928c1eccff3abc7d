/** The grants that an owner can give a tenant's token: `run`, `apply`, and by name a tool, an agent, the served repository. */

/** Makes a token of the tenant `local` the owner; gives no other tenant anything. */
export const ownerGrant = 'owner';

export const grantPattern = /^(?:run|apply|owner|(?:tool|lead|advisor|repo):[^\s,:][^\s,]{0,199})$/;

/** Returns the kind and the name of a grant, or null for any other text. */
export function parseGrant(text: string): { readonly kind: string; readonly name: string | null } | null {
  if (!grantPattern.test(text)) return null;
  const colon = text.indexOf(':');
  return colon < 0 ? { kind: text, name: null } : { kind: text.slice(0, colon), name: text.slice(colon + 1) };
}

/**
 * Returns why no grant for an agent allows it, or null. A script and a path are files of the machine, which no tenant names;
 * a model's name may contain slashes.
 */
export function whyNotGranted(agent: string): string | null {
  const [provider = '', ...model] = agent.split(':');
  if (provider === 'rehearsal') return 'a script is a file of this machine, which no grant allows';
  const isPath = [provider, model.join(':')].some((name) => /^[./~\\]/.test(name));
  return isPath ? 'a path is of this machine, and no grant allows it' : null;
}

/** Grants that give nothing without another one: `apply` ends a run, and a run works on the repository's files. */
export const neededGrants: Readonly<Record<string, string>> = { apply: 'run', run: 'repo:<name>' };

/** Returns the grant with all that it needs, as `--may` takes them. */
export function withNeeded(grant: string): string {
  const needed = Object.hasOwn(neededGrants, grant) ? neededGrants[grant] : undefined;
  return needed === undefined ? grant : `${grant},${withNeeded(needed)}`;
}

/** The list of grants in help and refusals. */
export const grantsHelp = 'run, apply, tool:<name>, lead:<provider>, advisor:<provider>, repo:<name>';
