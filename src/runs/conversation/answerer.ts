/** The answerer of a conversation: one implementation over a bare model, one over an agent with its own sessions. */
import type { EventAgent, EventBody } from '../../events/collab-event.ts';
import type { CallSetting } from '../../loop/perform-call.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { HistoryMessage } from '../../providers/history/history.ts';
import type { NewMessage } from '../../providers/history/history-edit.ts';
import type { LeadChoice } from '../agents/lead-choice.ts';

/** The lead as the history keeps it, to continue on another day. */
export type LeadName = Pick<LeadChoice, 'provider' | 'model'>;

export interface ConversationAnswerer {
  readonly identity: AgentIdentity;
  readonly lead: LeadName;
  /** Returns what went wrong; rejects only for our own bugs and, with the signal's reason, for an abort. */
  answer(question: ConversationQuestion): Promise<AnswerEnd>;
  close(): Promise<void>;
}

export interface ConversationQuestion {
  /** The messages so far; the last one is the user's. */
  readonly thread: readonly HistoryMessage[];
  /** Prefix of event ids. */
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
  /** Receives every message of the answer as soon as it is complete. */
  readonly keep: (message: NewMessage) => void;
}

export type AnswerEnd =
  | { readonly kind: 'answered' }
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string | null };

/** The answerer as the events name it. */
export function agentOf({ provider, model }: AgentIdentity): EventAgent {
  return { id: 'lead', role: 'lead', provider, ...(model === null ? {} : { model }) };
}

/** Returns the first event of a conversation, or of one of its turns. */
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
