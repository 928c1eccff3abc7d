/** A run as the routes show it: its state, its outcome, its questions. */
import { z } from 'zod';
import { outcomes, type CollabEvent } from '../../events/collab-event.ts';
import { consultOutcomes } from '../../review/outcome/consult-result.ts';
import { subjectOf } from '../../runs/folder/run-title.ts';
import { countedBySeverity, severityCountsSchema } from '../../runs/folder/listed-run.ts';
import { isUnreadable } from '../../runs/folder/run-status.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import type { RunResult } from '../../runs/folder/result-file.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { RunStatus } from '../../engine/port.ts';
import type { ServedRun } from '../conversations/conversations.ts';
import { runSubjectSchema, subjectOfInput, type RunSubject } from './run-subject.ts';
import { momentSchema } from '../conversations/timestamps.ts';

export const runSummarySchema = z.object({
  run_id: z.string(),
  conversation_id: z.string(),
  kind: z.enum(['review', 'run', 'fix', 'consult', 'turn']),
  /** The request in one line. */
  title: z.string(),
  /** The title as a code, if it is not in the user's own words. */
  subject: runSubjectSchema.nullable(),
  state: z.enum(['running', 'waiting', 'interrupted', 'ended']),
  /** The outcome; null until it has ended, and if it has none. */
  outcome: z.enum([...outcomes, ...consultOutcomes]).nullable(),
  /** The status at the end. */
  status: z.enum(['success', 'error', 'cancelled']).nullable(),
  started_at: momentSchema.nullable(),
  ended_at: momentSchema.nullable(),
  /** The findings that count, by severity; null until it has ended, and if it looks for none. */
  findings: severityCountsSchema.nullable(),
  /** In US dollars; null until it has ended, and if the price of any call is unknown. */
  cost_usd: z.number().nonnegative().nullable(),
});
export type RunListing = z.infer<typeof runSummarySchema>;

export const questionSchema = z.object({
  /** The name in the answer's route; it may contain slashes. */
  name: z.string(),
  kind: z.enum(['gate', 'clarification', 'lead_turn', 'reverse']),
  text: z.string(),
  /** JSON Schema of the answer. */
  schema: z.json(),
});

export const runDetailsSchema = runSummarySchema.extend({
  /** The content of the result file, in the shape that its `schema` names; null until the run has been driven. */
  result: z.json().nullable(),
  /** The questions that wait for an answer, oldest first. */
  questions: z.array(questionSchema),
  /** The number of the last record; 0 before the first. */
  last_seq: z.int().nonnegative(),
});
export type RunDetails = z.infer<typeof runDetailsSchema>;

/** A run of a conversation, in any folder. */
export interface RunPlace extends RunFolder {
  readonly conversationId: string;
  /** The record of a run that a server started; null for a run of the command line, whose folder has this data. */
  readonly known: {
    readonly kind: 'review' | 'workflow' | 'fix' | 'consult' | 'turn';
    readonly title: string;
    readonly subject: RunSubject | null;
    /** The state that the server recorded last. */
    readonly state: ServedRun['state'];
    readonly grants: ServedRun['grants'];
    readonly token: ServedRun['token'];
  } | null;
  /** The row of a run in a database; undefined for a run in a folder. */
  readonly shared?: {
    /** The name of its repository in grants. */
    readonly repository: string | null;
    /** Milliseconds since 1970. */
    readonly changedMs: number;
  };
}

export async function summariseRun(engine: Engine, place: RunPlace): Promise<RunListing> {
  const { runId, conversationId } = place;
  const ends = await engine.ends(place);
  const ended = ends?.last.type === 'run.ended' ? ends.last : null;
  const about = await aboutRun(engine, place);
  const result = await resultIfReadable(engine, place);
  // The run is about to take its lock and write its first record.
  const isBeginning = ends === null && place.known?.state === 'running';
  const state = isBeginning ? 'running' : await stateOf(engine, place, { ended, result }).catch(endedUnread);
  return {
    run_id: runId,
    conversation_id: conversationId,
    kind: about.kind === 'workflow' ? 'run' : about.kind,
    title: about.title,
    subject: about.subject,
    state,
    outcome: state === 'ended' ? (ended?.outcome ?? result?.outcome ?? null) : null,
    status: state === 'ended' ? (ended?.status ?? 'error') : null,
    started_at: ends?.first.ts ?? result?.started_at ?? null,
    ended_at: state === 'ended' ? (ended?.ts ?? result?.ended_at ?? null) : null,
    findings: state === 'ended' && result !== null ? countedBySeverity(result) : null,
    cost_usd: state === 'ended' ? (result?.cost_usd ?? null) : null,
  };
}

export async function describeRun(engine: Engine, place: RunPlace): Promise<RunDetails> {
  // Read the records first: a later question or answer has a higher number, and follows in the events.
  const last = (await engine.ends(place))?.last ?? null;
  const asked = last === null || last.type === 'run.ended' ? [] : (await engine.status(place)).open;
  return {
    ...(await summariseRun(engine, place)),
    result: z.json().parse(await resultIfReadable(engine, place)),
    questions: asked.map(({ name, kind, text, schema }) => ({ name, kind, text, schema })),
    last_seq: last?.seq ?? 0,
  };
}

/** The last record and the result say that a run has ended without all of its records being read; a turn leaves no result. */
async function stateOf(
  engine: Engine,
  place: RunPlace,
  { ended, result }: { readonly ended: CollabEvent | null; readonly result: RunResult | null },
): Promise<RunStatus> {
  const hasResult = place.known?.kind === 'turn' || result?.state === 'ended';
  return ended !== null && hasResult ? 'ended' : (await engine.status(place)).state;
}

/** Returns null if there is no readable one. */
export async function resultIfReadable(engine: Engine, run: RunFolder): Promise<RunResult | null> {
  return engine.result(run).catch((error: unknown) => {
    if (isUnreadable(error)) return null;
    throw error;
  });
}

/** Counts a run with unreadable records as ended, because no process can continue it. */
function endedUnread(error: unknown): RunStatus {
  if (isUnreadable(error)) return 'ended';
  throw error;
}

/** Returns the kind and title of a run, from the server's record or from its input. */
export async function aboutRun(
  engine: Engine,
  run: RunPlace,
): Promise<Pick<NonNullable<RunPlace['known']>, 'kind' | 'title' | 'subject'>> {
  if (run.known !== null) return run.known;
  const input = await engine.input(run);
  if (input === null) return { kind: 'review', title: '', subject: null };
  return { kind: input.kind, title: subjectOf(input), subject: subjectOfInput(input) };
}
