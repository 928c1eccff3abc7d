/** `static_review`: reviews a change by rules alone. No model, no network, no process, no session. */
import type { EventBody } from '../../events/collab-event.ts';
import type { AdvisorProvider, Agent, TurnRequest, TurnResult } from '../contract.ts';
import { renderReview } from './render-review.ts';
import { scanChange } from './scan-change.ts';

export const staticReviewProvider: AdvisorProvider = {
  name: 'static_review',
  roles: ['advisor'],
  authMode: 'none',
  assurance: 'static',
  promptLimit: null,
  probe: async () => ({ ready: true, version: null, login: null, model: null }),
  open: async () => staticReviewer,
};

const staticReviewer: Agent = {
  identity: {
    provider: 'static_review',
    displayName: 'static_review',
    version: null,
    model: null,
    login: null,
    destination: null,
    remarks: ['static checks only, no model looks'],
  },
  turn: review,
  harvest: async () => ({ kind: 'not_sent' }),
  close: async () => {},
};

async function review({ request, callId, signal, emit }: TurnRequest): Promise<TurnResult> {
  signal.throwIfAborted();
  if (request.tag !== '[REQUEST:REVIEW]' || request.change === null) return reviewsOnly(request.tag);
  emit({ type: 'turn.started' });
  const findings = await scanChange(request.change, signal);
  const sections = request.sections.map(({ name }) => name);
  const text = renderReview(request.change, findings, sections);
  for (const event of spoken(`${callId}/answer`, text)) emit(event);
  emit({ type: 'turn.ended', stop_reason: 'end_turn', usage: null });
  return { kind: 'answered', text, sessionId: null, usage: null, stopReason: 'end_turn' };
}

function spoken(blockId: string, text: string): readonly EventBody[] {
  return [
    { type: 'text.start', block_id: blockId, follow_up: false },
    { type: 'text.delta', block_id: blockId, text },
    { type: 'text.end', block_id: blockId, text },
  ];
}

function reviewsOnly(tag: string): TurnResult {
  return {
    kind: 'unavailable',
    code: 'options',
    message: `static_review answers [REQUEST:REVIEW] with a change only, not ${tag}`,
    hint: 'Choose an advisor with a model: --advisor codex',
  };
}
