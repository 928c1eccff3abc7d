/**
 * The source of a request: the person who owns the machine, a tenant of the server, or text that is merely part of a
 * repository.
 */

export type Speaker =
  | { readonly kind: 'owner' }
  | Guest
  /** A process that drives a run already started. */
  | { readonly kind: 'worker' }
  /**
   * An agent that calls collab: it has the permissions of the speaker behind it, but edits and commands always need approval.
   */
  | { readonly kind: 'host'; readonly behind: { readonly kind: 'owner' } | Guest }
  /** A person with write access, in a comment on a pull request. */
  | { readonly kind: 'commenter' }
  /** Any file of the change or of the checkout, such as its configuration. */
  | { readonly kind: 'repository' };

export interface Guest {
  readonly kind: 'guest';
  readonly tenant: string;
  /** The grants that the owner gave when creating the token, such as `tool:Read`. */
  readonly grants: readonly string[];
  /** The server's own choice of agents, which a guest may name: `codex`, `anthropic:claude-opus`. */
  readonly providers: readonly string[];
  /** True if the server also takes requests without a token, which can be the owner's. */
  readonly isServerOpen: boolean;
}

export type SpeakerKind = Speaker['kind'];

/** Returns the tenant's guest who asks, alone or through a host; null for everyone else. */
export function guestOf(speaker: Speaker): Guest | null {
  if (speaker.kind === 'host') return guestOf(speaker.behind);
  return speaker.kind === 'guest' ? speaker : null;
}

/** The tenant of the owner, on the command line or on a page that this machine serves. */
export const localTenant = 'local';

export const owner = { kind: 'owner' } as const satisfies Speaker;
export const repository = { kind: 'repository' } as const satisfies Speaker;
export const commenter = { kind: 'commenter' } as const satisfies Speaker;
