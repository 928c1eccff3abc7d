/** One turn of the rules. */
import type { EventBody } from '../../events/collab-event.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { TurnResult } from '../contract/contract.ts';
import { staticReviewProvider } from './static_review_client.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';

export async function staticReviewTurn(
  change: readonly DiffFile[],
  about: Partial<ConsultRequest> = {},
): Promise<{ readonly result: TurnResult; readonly events: readonly EventBody[] }> {
  const { signal } = new AbortController();
  const agent = await staticReviewProvider.open({
    env: {},
    cwd: '/',
    settings: {},
    signal,
    runId: 'run-1',
    model: null,
    stateFolder: '/',
    reviewFolder: null,
    limits: { firstSignMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
  });
  const events: EventBody[] = [];
  const result = await agent.turn({
    request: {
      tag: '[REQUEST:REVIEW]',
      question: '',
      sections: exchangeSpecOf('[REQUEST:REVIEW]').sections,
      required: [],
      optional: [],
      change,
      language: null,
      ...about,
    },
    prompt: '',
    callId: 'ex_1/1/1',
    sessionId: null,
    signal,
    emit: (event) => void events.push(event),
    bind: async () => {},
  });
  return { result, events };
}
