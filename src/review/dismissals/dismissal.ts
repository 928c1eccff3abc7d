/** Dismissals: a person's decisions that a finding does not count, one JSON object a line, in `.collab/history.jsonl`. */
import { z } from 'zod';
import type { Finding } from '../../events/collab-event.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { seemsMasked } from '../../secrets/text-range.ts';
import { claimClasses } from '../../tags/claims.ts';
import { parseJson } from '../../text/parse-json.ts';

/** The findings of these rules are secrets, which no one dismisses. */
const secretSources: readonly string[] = ['rule:hardcoded-secret', 'rule:hardcoded-password'];

const dismissalSchema = z.object({
  schema: z.literal('collab.dismissal/v1'),
  at: z.iso.datetime(),
  run_id: z.string().max(200),
  /** The identity of the finding. */
  identity: z.string().regex(/^[0-9a-f]{64}$/),
  /** Critical findings are not dismissed. */
  severity: z.enum(['important', 'minor']),
  /** `rule:<id>`, or `tool:<name>/<rule>` of another tool; absent if a model alone found it. */
  source: z
    .string()
    .regex(/^(?:rule:[a-z][a-z0-9-]{0,79}|tool:[\w][\w @./+-]{0,119})$/)
    .refine((source) => !secretSources.includes(source))
    .optional(),
  claim: z.enum(claimClasses).optional(),
  path: z.string().min(1).max(4096).nullable(),
  title: z.string().max(500),
  reason: z.string().min(1).max(1000),
});
export type Dismissal = Readonly<z.infer<typeof dismissalSchema>>;

/** In characters, of a reason. */
export const longestReason = 1000;

export interface ReadDismissals {
  /** One for each finding, in the order of the file; the last line about a finding counts. */
  readonly dismissals: readonly Dismissal[];
  /** The numbers of the lines that are no dismissal, from 1. */
  readonly damaged: readonly number[];
}

/** Reads all lines that can be read: merges leave marks, repeat lines and change their order. */
export function readDismissals(text: string): ReadDismissals {
  const found = new Map<string, Dismissal>();
  const damaged: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = dismissalSchema.safeParse(parseJson(line)).data;
    if (read === undefined) damaged.push(index + 1);
    else found.set(read.identity, read);
  }
  return { dismissals: [...found.values()], damaged };
}

export interface DismissalFacts extends Pick<Dismissal, 'at' | 'run_id' | 'reason'> {
  readonly finding: Finding;
}

/** @throws CollabError `usage` for a finding that is not to be dismissed: Critical, or a secret */
export function dismissalOf({ finding, ...facts }: DismissalFacts): Dismissal {
  refuseGrave(finding);
  const { identity, severity, source, claim, path, title } = finding;
  return dismissalSchema.parse({
    schema: 'collab.dismissal/v1',
    ...facts,
    identity,
    severity,
    ...(source === undefined ? {} : { source }),
    ...(claim === undefined ? {} : { claim }),
    path,
    title: title.slice(0, 500),
  });
}

/** The line of a dismissal, without its end. */
export function renderDismissal(dismissal: Dismissal): string {
  return JSON.stringify(dismissal);
}

function refuseGrave(finding: Finding): void {
  const why = whyNotDismissed(finding);
  if (why === null) return;
  throw new CollabError('usage', `${finding.id} is not dismissed: it is ${why}`, {
    hint: 'Fix it, or write an entry with `severity: critical` and the reason into the suppression file yourself.',
  });
}

/** The parts of a finding that decide whether a person may dismiss it. */
export interface GraveParts extends Pick<Finding, 'severity' | 'title'> {
  readonly source?: string | undefined;
  readonly rejectable?: boolean | undefined;
  readonly quote?: string | null | undefined;
}

/** Returns null for a finding that may be dismissed. */
export function whyNotDismissed({
  severity,
  source,
  rejectable,
  quote,
  title,
}: GraveParts): 'a secret' | 'Critical' | null {
  const isSecret =
    rejectable === false ||
    (source !== undefined && secretSources.includes(source)) ||
    seemsMasked(`${title}\n${quote ?? ''}`);
  if (isSecret) return 'a secret';
  return severity === 'critical' ? 'Critical' : null;
}
