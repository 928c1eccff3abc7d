/**
 * The only table of permissions, and it is pure. The server, chat, command line, loop, loader and configuration all ask it and
 * decide nothing themselves. Anything without a row is refused.
 */
import { whyNotGranted } from './grant-syntax.ts';
import type { Guest, Speaker, SpeakerKind } from './speaker.ts';

/** `yes`, `no`; `given`: only with a grant; `listed`: the server's own choice, anything else only with a grant. */
export type Verdict = 'yes' | 'no' | 'given' | 'listed';

/** A host is judged as the speaker behind it. */
type Row = Readonly<Record<Exclude<SpeakerKind, 'host'>, Verdict>>;

const ownerAlone = { owner: 'yes', guest: 'no', worker: 'no', commenter: 'no', repository: 'no' } as const;
const callers = { ...ownerAlone, guest: 'yes' } as const;
const givenGuests = { ...ownerAlone, guest: 'given' } as const;
const everyVoice = { ...callers, commenter: 'yes', repository: 'yes' } as const;

export const rows = {
  /** Health, the page, the description of the routes, and the caller's own session. */
  'reach the server': { ...callers, worker: 'yes' },
  /** Runs, conversations and attachments of the caller's own tenant. */
  'read own runs': callers,
  /** Counts over all tenants. */
  'read the numbers of all runs': ownerAlone,
  'steer own runs': { ...callers, commenter: 'yes' },
  /** A worker continues a run that another speaker was allowed to start. */
  'drive a started run': { ...ownerAlone, worker: 'yes' },

  'converse with a model': callers,
  /** Agents with tools of their own, such as Claude Code. */
  'converse with an agent': givenGuests,
  'start a review': { ...callers, commenter: 'yes' },
  'start a consult': givenGuests,
  'start a run of phases': givenGuests,
  'fix on a branch of ours': { ...ownerAlone, commenter: 'yes' },
  /** Writes into the files of the repository. */
  'dismiss a finding': { ...givenGuests, commenter: 'yes' },
  /** Without a question: never for a host, because its edits and commands always ask. */
  'accept every gate': callers,
  /** Accepts or refuses at a gate: a person behind a host, never the calling agent itself. */
  'decide at a gate': callers,
  'bring edits into the files': givenGuests,

  'send a diff': callers,
  /** A range, a commit or the working tree: content of the served repository. */
  'read the repository': { ...givenGuests, commenter: 'yes' },
  /** With the owner's login at the host. */
  'read a pull request': { ...ownerAlone, commenter: 'yes' },
  /** Reads or writes any file of the machine. */
  'name a path': ownerAlone,

  'choose the advisor': { ...ownerAlone, guest: 'listed' },
  'choose the lead': { ...ownerAlone, guest: 'listed' },
  /** `./ai_client` and other code outside this package. */
  "run a provider's folder": ownerAlone,
  /** The path of an agent's program, its address and the settings passed to it. */
  'configure an agent': ownerAlone,

  'use a tool that only reads': givenGuests,
  'use a tool that changes': givenGuests,
  'use a tool that fetches': givenGuests,
  /** A command has the network of the machine: it can call an open server without a token, as the owner. */
  'run a command': givenGuests,
  /** A rule that lets a tool run without asking. */
  'allow a tool': ownerAlone,

  /** Focus, language, instructions and the severity at which a review fails: text, and restrictions only. */
  'word and narrow': everyVoice,
  'lower a limit': everyVoice,
  'raise a limit': ownerAlone,
  /** Output where the command runs; none of it leaves the process. */
  'choose what is shown': { ...callers, repository: 'yes' },
  /** A repository names only files below `.collab/reports`. */
  'write a new report': { ...ownerAlone, repository: 'yes' },
  'write over a file': ownerAlone,

  /** All other commands of the command line. */
  'use the command line': ownerAlone,
} as const satisfies Readonly<Record<string, Row>>;

export type Deed = keyof typeof rows;

export interface Act {
  readonly does: Deed;
  /** The object of the action, as a grant names it: a tool, a provider, a repository. */
  readonly what?: string;
}

export type Answer =
  | { readonly allowed: true; readonly asks: boolean }
  /** `grant` would allow it; null if no grant does. `needsToken`: only on a server that requires a token. */
  | { readonly allowed: false; readonly grant: string | null; readonly needsToken?: true };

const opensGates: ReadonlySet<Deed> = new Set(['accept every gate', 'decide at a gate']);

/** Only the owner may do an action without a row, such as calling an unknown tool. */
export function may(speaker: Speaker, action: Act | null): Answer {
  if (speaker.kind === 'host') {
    if (action !== null && opensGates.has(action.does)) return { allowed: false, grant: null };
    return asked(may(speaker.behind, action), action);
  }
  if (action === null) return speaker.kind === 'owner' ? yes : { allowed: false, grant: null };
  const verdict: Verdict = rows[action.does][speaker.kind];
  switch (verdict) {
    case 'yes':
      return yes;
    case 'no':
      return { allowed: false, grant: null };
    case 'given':
    case 'listed':
      return speaker.kind === 'guest' ? given(speaker, action, verdict) : { allowed: false, grant: null };
  }
}

const yes = { allowed: true, asks: false } as const;

function given({ grants, providers, isServerOpen }: Guest, action: Act, verdict: 'given' | 'listed'): Answer {
  const { does, what = '' } = action;
  const grant = grantFor(does, what);
  if (does === 'run a command' && isServerOpen) return { allowed: false, grant, needsToken: true };
  const isListed = verdict === 'listed' && providers.includes(what);
  return isListed || (grant !== null && grants.includes(grant)) ? yes : { allowed: false, grant };
}

/** Formats a grant for `serve token create --may`; null if there is none. */
function grantFor(does: Deed, what: string): string | null {
  switch (does) {
    case 'start a run of phases':
      return 'run';
    case 'bring edits into the files':
    case 'dismiss a finding':
      return 'apply';
    case 'converse with an agent':
    case 'choose the lead':
      return whyNotGranted(what) === null ? `lead:${what}` : null;
    case 'choose the advisor':
      return whyNotGranted(what) === null ? `advisor:${what}` : null;
    case 'start a consult':
    case 'read the repository':
      return `repo:${what}`;
    default:
      return `tool:${what}`;
  }
}

/** Makes every change ask first: an agent that calls collab is not the person behind it. */
function asked(answer: Answer, action: Act | null): Answer {
  return answer.allowed && changes(action) ? { allowed: true, asks: true } : answer;
}

function changes(action: Act | null): boolean {
  switch (action?.does) {
    case 'use a tool that changes':
    case 'use a tool that fetches':
    case 'run a command':
    case 'bring edits into the files':
    case 'start a run of phases':
    case 'fix on a branch of ours':
    case 'write over a file':
      return true;
    default:
      return action === null;
  }
}
