/** A conversation in its own folder, with an agent that replies as a test says and records its messages. */
import { onTestFinished } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { CollabEvent, EventBody } from '../../events/collab-event.ts';
import { createToolPolicy, type PolicyOptions } from '../../loop/tool-policy.ts';
import { systemClock } from '../../system/clock.ts';
import type { LeadAgent, LeadTurnRequest, TurnResult } from '../../providers/contract/contract.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import { createBudget, noLimits } from '../calls/budget.ts';
import { createAgentAnswerer } from './agent-answerer.ts';
import type { ConversationAnswerer } from './answerer.ts';
import { openAgentSessions } from './agent-sessions.ts';
import { createConversationFolder } from './store.ts';
import { openConversation, type OpenConversation } from './conversation.ts';

/** A text is an answer. */
export type Reply = (request: LeadTurnRequest) => Promise<TurnResult | string>;

export const identity = {
  provider: 'claude_code',
  displayName: 'Claude Code',
  version: null,
  model: null,
  login: null,
  destination: null,
  remarks: [],
} as const;

/** Sends a text like an agent that streams. */
export function says(text: string): Reply {
  return async ({ emit, callId }) => {
    for (const event of spoken(`${callId}/0`, text)) emit(event);
    return text;
  };
}

export interface AgentWorld {
  readonly requests: LeadTurnRequest[];
  readonly events: CollabEvent[];
  readonly folder: ReturnType<typeof createConversationFolder>;
  /** Opens the conversation, for the first time or again on another day. */
  readonly open: (options?: WorldOptions) => Promise<OpenConversation>;
}

export interface WorldOptions {
  readonly tools?: readonly Tool[];
  readonly approve?: PolicyOptions['approve'];
  /** Replaces the agent. */
  readonly answer?: ConversationAnswerer['answer'];
}

/** The agent gives the replies in their order. */
export function createAgentWorld(...replies: readonly Reply[]): AgentWorld {
  const folder = createConversationFolder(scratchFolder(), systemClock);
  const requests: LeadTurnRequest[] = [];
  const events: CollabEvent[] = [];
  let sessions = 0;
  let opened = 0;
  const agent: LeadAgent = {
    identity,
    edits: true,
    async turn(request) {
      const reply = replies[requests.push(request) - 1];
      if (reply === undefined) throw new Error('no reply is left');
      const sessionId = request.sessionId ?? `session-${(sessions += 1)}`;
      await request.bind(sessionId);
      const said = await reply(request);
      if (typeof said !== 'string') return said;
      return { kind: 'answered', text: said, sessionId, usage: null, stopReason: null };
    },
    harvest: async () => ({ kind: 'not_sent' }),
    close: async () => {},
  };
  return {
    requests,
    events,
    folder,
    async open({ tools = [], approve = null, answer } = {}) {
      const setting = { tools, policy: createToolPolicy({ rules: {}, approve }), clock: systemClock };
      const answerer = createAgentAnswerer({
        ...setting,
        agent,
        lead: { provider: 'claude_code', model: null },
        sessions: openAgentSessions(folder, 'claude_code'),
        budget: createBudget(noLimits),
      });
      const conversation = await openConversation({
        folder,
        resumed: (opened += 1) > 1,
        answerer: { ...answerer, ...(answer === undefined ? {} : { answer }) },
        tools: setting,
        cwd: folder.path,
        clock: systemClock,
        onEvent: (event) => events.push(event),
      });
      onTestFinished(() => conversation.close().catch(() => undefined));
      return conversation;
    },
  };
}

export const unstopped = new AbortController().signal;

function spoken(blockId: string, text: string): readonly EventBody[] {
  return [
    { type: 'turn.started' },
    { type: 'text.start', block_id: blockId, follow_up: false },
    { type: 'text.delta', block_id: blockId, text },
    { type: 'text.end', block_id: blockId, text },
    { type: 'turn.ended', stop_reason: 'end_turn', usage: null },
  ];
}
