/** The facts about a run that lists show: its state, what it found, its time, its cost, its agents. */
import { z } from 'zod';
import { decidesExit } from '../../events/findings.ts';
import { countTokens } from '../../events/tokens.ts';
import { severities, type Severity } from '../../tags/severities.ts';
import { readRunResult } from './named-result.ts';
import type { RunResult } from './result-file.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunInput } from './run-input.ts';
import { isUnreadable, standing } from './run-status.ts';
import { inputIfReadable, readSubject, subjectOf } from './run-title.ts';

const agentSchema = z.object({ provider: z.string(), model: z.string().nullable() });
const count = z.int().nonnegative();

export const severityCountsSchema = z.object({ critical: count, important: count, minor: count });

export const listedRunSchema = z.object({
  run: z.string(),
  /** The kind of the run; null for one of another version. */
  kind: z.enum(['review', 'run', 'fix', 'consult']).nullable(),
  state: z.string(),
  /** The outcome; null until the run has ended, and for a run of phases that ended without a review. */
  outcome: z.string().nullable(),
  /** The findings that count, by severity; null until the run has ended, and for a consult. */
  findings: severityCountsSchema.nullable(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  /** All tokens of all calls; null until the run has ended. */
  tokens: count.nullable(),
  /** In US dollars; null if the price of any call is unknown, and until the run has ended. */
  cost_usd: z.number().nonnegative().nullable(),
  lead: agentSchema.nullable(),
  advisor: agentSchema.nullable(),
  subject: z.string().nullable(),
});
export type ListedRun = z.infer<typeof listedRunSchema>;

/** @throws CollabError if the files of the run cannot be read */
export async function describeListed(found: RunFolder): Promise<ListedRun> {
  // Reads the state first: if the run ended in between, an earlier read of the result would miss it.
  const state = await standing(found.path);
  const result = readRunResult(found);
  return describeFacts({ runId: found.runId, state, result, input: inputIfReadable(found.path) });
}

interface RunFacts {
  readonly runId: string;
  readonly state: string;
  readonly result: RunResult | null;
  readonly input: RunInput | null;
}

export function describeFacts({ runId, state, result, input }: RunFacts): ListedRun {
  const ended = state === 'ended' ? result : null;
  return {
    run: runId,
    kind: input === null ? null : input.kind === 'workflow' ? 'run' : input.kind,
    state,
    outcome: ended?.outcome ?? null,
    findings: ended === null ? null : countedBySeverity(ended),
    started_at: result?.started_at ?? input?.started_at ?? null,
    ended_at: ended?.ended_at ?? null,
    tokens: ended === null ? null : countTokens(ended.usage),
    cost_usd: ended?.cost_usd ?? null,
    lead: agentOf(result?.lead ?? input?.lead),
    advisor: agentOf(result?.advisor ?? input?.advisor),
    subject: input === null ? null : subjectOf(input),
  };
}

/** Also describes a run that cannot be read; `collab status` says why. */
export async function describeAnyListed(found: RunFolder): Promise<ListedRun> {
  try {
    return await describeListed(found);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return describeUnreadable(found.runId, readSubject(found.path));
  }
}

export function describeUnreadable(run: string, subject: string | null): ListedRun {
  return { ...unreadable, run, subject };
}

const unreadable = {
  kind: null,
  state: 'unreadable',
  outcome: null,
  findings: null,
  started_at: null,
  ended_at: null,
  tokens: null,
  cost_usd: null,
  lead: null,
  advisor: null,
} as const;

/** Counts the findings that decide the exit code, as the headline of a report does; null for a consult. */
export function countedBySeverity(result: RunResult): Readonly<Record<Severity, number>> | null {
  if (result.schema === 'collab.consult/v1') return null;
  const counted = result.findings.filter(decidesExit);
  const countOf = (severity: Severity) => counted.filter((finding) => finding.severity === severity).length;
  const [critical, important, minor] = severities.map(countOf);
  return { critical: critical ?? 0, important: important ?? 0, minor: minor ?? 0 };
}

function agentOf(
  agent: { readonly provider: string; readonly model: string | null } | null | undefined,
): ListedRun['advisor'] {
  return agent === null || agent === undefined ? null : { provider: agent.provider, model: agent.model };
}
