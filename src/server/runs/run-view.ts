/** A run as the routes show it: how it stands, what it came to, what it asks. */
import { z } from 'zod';
import { outcomes } from '../../events/collab-event.ts';
import { consultOutcomes } from '../../review/outcome/consult-result.ts';
import { inputIfReadable, subjectOf } from '../../runs/folder/run-title.ts';
import { journalEnds } from '../../engine/journal/first-and-last.ts';
import { openQuestions, runState } from '../../engine/drive/other-process.ts';
import { readResult } from '../../runs/folder/result-file.ts';
import { isUnreadable, standing } from '../../runs/folder/run-status.ts';
import type { RunState } from '../../engine/types.ts';
import type { ServedRun } from '../conversations/conversations.ts';
import { momentSchema } from '../conversations/timestamps.ts';

export const runSummarySchema = z.object({
  run_id: z.string(),
  conversation_id: z.string(),
  kind: z.enum(['review', 'run', 'consult', 'turn']),
  /** What was asked for, in one line. */
  title: z.string(),
  state: z.enum(['running', 'waiting', 'interrupted', 'ended']),
  /** Null until it has ended, and where it has none. */
  outcome: z.enum([...outcomes, ...consultOutcomes]).nullable(),
  /** How it ended. */
  status: z.enum(['success', 'error', 'cancelled']).nullable(),
  started_at: momentSchema.nullable(),
  ended_at: momentSchema.nullable(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

export const questionSchema = z.object({
  /** Of the answer's route; it may hold slashes. */
  name: z.string(),
  kind: z.enum(['gate', 'clarification', 'lead_turn', 'reverse']),
  text: z.string(),
  /** JSON Schema of the answer. */
  schema: z.json(),
});

export const runDetailsSchema = runSummarySchema.extend({
  /** What the result file holds: the shape that its `schema` names; null until the run was driven. */
  result: z.json().nullable(),
  /** Those that wait for an answer, the oldest first. */
  questions: z.array(questionSchema),
  /** Of its records; 0 before the first. */
  last_seq: z.int().nonnegative(),
});
export type RunDetails = z.infer<typeof runDetailsSchema>;

/** A run of a conversation, wherever it lies. */
export interface RunPlace {
  readonly runId: string;
  readonly conversationId: string;
  readonly folder: string;
  /** Of a run that a server began; null for one of the command line: its folder says what it is. */
  readonly known: {
    readonly kind: 'review' | 'workflow' | 'consult' | 'turn';
    readonly title: string;
    /** As the server noted it last. */
    readonly state: ServedRun['state'];
  } | null;
}

export async function summariseRun(place: RunPlace): Promise<RunSummary> {
  const { runId, conversationId, folder } = place;
  const ends = journalEnds(folder);
  const ended = ends?.last.type === 'run.ended' ? ends.last : null;
  const about = aboutRun(place);
  const result = readResult(folder);
  // It is about to take its lock and to write its first record.
  const isBeginning = ends === null && place.known?.state === 'running';
  const state = isBeginning ? 'running' : await stateOf(place, ended !== null).catch(endedUnread);
  return {
    run_id: runId,
    conversation_id: conversationId,
    kind: about.kind === 'workflow' ? 'run' : about.kind,
    title: about.title,
    state,
    outcome: state === 'ended' ? (ended?.outcome ?? result?.outcome ?? null) : null,
    status: state === 'ended' ? (ended?.status ?? 'error') : null,
    started_at: ends?.first.ts ?? result?.started_at ?? null,
    ended_at: state === 'ended' ? (ended?.ts ?? result?.ended_at ?? null) : null,
  };
}

export async function describeRun(place: RunPlace): Promise<RunDetails> {
  const { folder } = place;
  // First the records: what is asked or answered meanwhile has a greater number, and comes by the events behind it.
  const last = journalEnds(folder)?.last ?? null;
  const asked = last === null || last.type === 'run.ended' ? [] : openQuestions(folder);
  return {
    ...(await summariseRun(place)),
    result: z.json().parse(readResult(folder)),
    questions: asked.map(({ name, kind, text, schema }) => ({ name, kind, text, schema })),
    last_seq: last?.seq ?? 0,
  };
}

/** A turn of a conversation leaves no result file: its journal says all. */
function stateOf({ folder, known }: RunPlace, hasEnded: boolean): Promise<RunState> {
  if (known?.kind !== 'turn') return standing(folder, hasEnded);
  return hasEnded ? Promise.resolve('ended') : runState(folder);
}

/** Nobody goes on with a run whose records cannot be read. */
function endedUnread(error: unknown): RunState {
  if (isUnreadable(error)) return 'ended';
  throw error;
}

/** What it is, by who began it or by its input. */
export function aboutRun({
  folder,
  known,
}: RunPlace): Pick<NonNullable<RunPlace['known']>, 'kind' | 'title'> {
  if (known !== null) return known;
  const input = inputIfReadable(folder);
  return input === null ? { kind: 'review', title: '' } : { kind: input.kind, title: subjectOf(input) };
}
