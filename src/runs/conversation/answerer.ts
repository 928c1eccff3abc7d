/** Whoever answers in a conversation: one of these over a bare model, one over an agent with sessions of its own. */
import type { EventAgent, EventBody } from '../../events/collab-event.ts';
import type { CallSetting } from '../../loop/perform-call.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { HistoryMessage } from '../../providers/history/history.ts';
import type { NewMessage } from '../../providers/history/history-edit.ts';
import type { LeadChoice } from '../agents/lead-choice.ts';

/** As the history keeps it, to go on with another day. */
export type LeadName = Pick<LeadChoice, 'provider' | 'model'>;

export interface Answerer {
  readonly identity: AgentIdentity;
  readonly lead: LeadName;
  /** Returns what went wrong; rejects only for our own bugs and, with the signal's reason, for an abort. */
  answer(question: Question): Promise<AnswerEnd>;
  close(): Promise<void>;
}

export interface Question {
  /** What was said until now; it ends with what the user says. */
  readonly thread: readonly HistoryMessage[];
  /** Ids of events begin with it. */
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
  /** Is given every message of the answer as soon as it is whole. */
  readonly keep: (message: NewMessage) => void;
}

export type AnswerEnd =
  | { readonly kind: 'answered' }
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string | null };

/** How the one who answers stands in the events. */
export function agentOf({ provider, model }: AgentIdentity): EventAgent {
  return { id: 'lead', role: 'lead', provider, ...(model === null ? {} : { model }) };
}

/** The first event of a conversation, or of a turn of it. */
export function startOf(
  { provider, model }: AgentIdentity,
  { tools }: Pick<CallSetting, 'tools'>,
  cwd: string,
): Extract<EventBody, { type: 'run.started' }> {
  return {
    type: 'run.started',
    name: provider,
    ...(model === null ? {} : { model }),
    tools: tools.map(({ name }) => name),
    cwd,
  };
}
