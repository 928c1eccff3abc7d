/**
 * Hidden blocks in our comments: they hold what the next round needs. Only comments of our own login are read; with a secret,
 * a block must also be signed, because other jobs may write with the same login.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { formerFindingSchema } from '../../review/findings/known-findings.ts';
import { assurances } from '../../review/outcome/coverage.ts';
import { severities } from '../../tags/severities.ts';
import { parseJson } from '../../text/parse-json.ts';

/** The finding of a thread, as its first comment holds it. */
const markedFindingSchema = z.object({
  ...formerFindingSchema.omit({ line_now: true }).shape,
  side: z.enum(['new', 'old']).nullable(),
  /** The round that posted it. */
  round: z.int().positive(),
  /** The assurance of the review that reported it. */
  assurance: z.enum(assurances),
  /** Its number in this pull request; absent in threads of earlier versions. */
  number: z.int().positive().optional(),
  /** False for a secret. */
  rejectable: z.boolean().optional(),
  /** True if the comment has a suggestion. */
  suggested: z.boolean().optional(),
});
export type MarkedFinding = z.infer<typeof markedFindingSchema>;

/** A person's decision, in a comment on the pull request, that a finding does not count there. */
const roundDismissalSchema = z.object({
  /** The first digits of the finding's identity. */
  identity: z.string(),
  number: z.int().positive(),
  /** A worse finding is not dismissed by it. */
  severity: z.enum(severities),
  by: z.string(),
  reason: z.string(),
  /** The comment with the command. */
  comment: z.string(),
});
export type RoundDismissal = Readonly<z.infer<typeof roundDismissalSchema>>;

/** A finding without a thread: the summary is the only place for its number. */
const numberedFindingSchema = z.object({
  /** The first digits of its identity. */
  identity: z.string(),
  number: z.int().positive(),
  severity: z.enum(severities),
  title: z.string(),
  /** False for a secret. */
  rejectable: z.boolean().optional(),
});
export type NumberedFinding = Readonly<z.infer<typeof numberedFindingSchema>>;

/** The last round, as the summary holds it. */
const roundStateSchema = z.object({
  round: z.int().positive(),
  head: z.string(),
  /** Short digests of the changed lines; null if there were too many. */
  lines: z.string().nullable(),
  /** The first digits of the identities of threads whose finding was gone. */
  gone: z.array(z.string()),
  /** Those that were not gone in the round before. Earlier versions kept only their number. */
  fixed: z.array(z.string()).catch([]),
  /** The number of the next new finding. */
  next: z.int().positive().default(1),
  numbers: z.array(numberedFindingSchema).default([]),
  dismissed: z.array(roundDismissalSchema).default([]),
});
export type RoundState = z.infer<typeof roundStateSchema>;

export interface MarkKind<Content> {
  readonly name: string;
  readonly schema: z.ZodType<Content>;
}

export const findingMark: MarkKind<MarkedFinding> = { name: 'finding', schema: markedFindingSchema };
export const roundMark: MarkKind<RoundState> = { name: 'round', schema: roundStateSchema };
/** Enough digits of an identity to tell the findings of one pull request apart; a comment has a limit. */
const digitsOfIdentity = 16;

export function shortIdentity(identity: string): string {
  return identity.slice(0, digitsOfIdentity);
}

/** A reply about a dismissed finding. */
export const dismissedMark: MarkKind<RoundDismissal> = { name: 'dismissed', schema: roundDismissalSchema };
/** Any other answer to a command. */
export const answerMark: MarkKind<{ readonly comment: string }> = {
  name: 'answer',
  schema: z.object({ comment: z.string() }),
};
/** A reply to a thread that we may not resolve. */
export const fixedMark: MarkKind<{ readonly identity: string }> = {
  name: 'fixed',
  schema: z.object({ identity: z.string() }),
};

export interface Marks {
  /** Returns an HTML comment on one line. */
  readonly write: <Content>(kind: MarkKind<Content>, content: Content) => string;
  /** Reads the mark of this kind in one of the first lines of a comment; null if there is none that is ours. */
  readonly read: <Content>(kind: MarkKind<Content>, body: string) => Content | null;
}

export interface MarksOptions {
  /** The pull request: a mark does not count on another one. */
  readonly scope: string;
  readonly secret: Uint8Array | null;
}

/** Marks are at the beginning of a comment: foreign text is below. */
const markedLines = 2;

export function createMarks({ scope, secret }: MarksOptions): Marks {
  return {
    write({ name }, content) {
      const written = Buffer.from(JSON.stringify(content)).toString('base64');
      return `<!-- collab:${name} ${written} ${signatureOf(name, written)} -->`;
    },
    read({ name, schema }, body) {
      for (const line of body.split(/\r?\n/, markedLines)) {
        const [, found, written = '', signature = ''] = markPattern.exec(line.trim()) ?? [];
        if (found !== name || !isSigned(name, written, signature)) continue;
        const read = schema.safeParse(parseJson(Buffer.from(written, 'base64').toString('utf8')));
        if (read.success) return read.data;
      }
      return null;
    },
  };

  function signatureOf(name: string, written: string): string {
    if (secret === null) return '-';
    const signed = JSON.stringify(['collab.round/v1', scope, name, written]);
    return createHmac('sha256', secret).update(signed).digest('hex');
  }

  function isSigned(name: string, written: string, signature: string): boolean {
    if (secret === null) return true;
    const [wanted, found] = [Buffer.from(signatureOf(name, written)), Buffer.from(signature)];
    return wanted.length === found.length && timingSafeEqual(wanted, found);
  }
}

const markPattern = /^<!-- collab:([a-z]+) ([A-Za-z0-9+/=]+) ([0-9a-f]{64}|-) -->$/;
