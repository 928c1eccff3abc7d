/** `static_review`: reviews a change by rules alone. No model, no network, no process, no session. */
import type { EventBody } from '../../events/collab-event.ts';
import { ValueError } from '../../errors/provider-error.ts';
import { readNamed } from '../../system/files/read.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { FoundByRule } from '../../prompts/request.ts';
import { closingLineIn } from '../../tags/closing-line.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';
import type { ProviderEvent } from '../client/provider-event.ts';
import { AiClient, type StreamOptions } from '../client/ai-client.ts';
import { shippedProfileDir } from '../profiles/shipped-profiles.ts';
import type { AdvisorProvider, Agent, TurnRequest, TurnResult } from '../contract/contract.ts';
import { renderReview } from './render-review.ts';
import { findByRules } from './evidence.ts';
import { foundByRule } from './rule-finding.ts';

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

async function review({ request, prompt, callId, signal, emit }: TurnRequest): Promise<TurnResult> {
  if (request === null) return reviewsOnly('[RESPONSE:FINDING]');
  signal.throwIfAborted();
  if (request.tag !== '[REQUEST:REVIEW]' || request.change === null) return reviewsOnly(request.tag);
  emit({ type: 'turn.started' });
  const findings = request.found ?? (await findIn(request.change, signal));
  const sections = request.sections.map(({ name }) => name);
  const line = closingLineIn(prompt);
  const rendered = renderReview(request.change, findings, sections);
  const text = line === null ? rendered : `${rendered}\n${line}\n`;
  for (const event of spoken(`${callId}/answer`, text)) emit(event);
  emit({ type: 'turn.ended', stop_reason: 'end_turn', usage: null });
  return { kind: 'answered', text, sessionId: null, usage: null, stopReason: 'end_turn' };
}

async function findIn(files: readonly DiffFile[], signal: AbortSignal): Promise<readonly FoundByRule[]> {
  return (await findByRules(files, {}, signal)).map(foundByRule);
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

/** Specification 003's client for the same provider: its input is a unified diff, as text or as files. */
export class StaticReviewClient extends AiClient {
  static override readonly authMode = 'none';
  static override readonly abilities = { history: 'none', tools: 'none', requests: 'own' } as const;

  static override getProviderName(): string {
    return 'static_review';
  }

  static override getProfileDir(): string {
    return shippedProfileDir('static_review');
  }

  /** @throws ValueError for an input without a diff */
  async *sendRequestStream(options: StreamOptions): AsyncGenerator<ProviderEvent, void, void> {
    const signal = this.signalOf(options);
    const { currentTextInput, currentFilePaths, tools = [] } = options;
    if (tools.length > 0) throw new ValueError('static_review accepts no tools');
    this.parametersOf(options);
    const files = filesIn([currentTextInput, ...currentFilePaths.map((path) => readText(path))]);
    try {
      const findings = await findIn(files, signal);
      const sections = exchangeSpecOf('[REQUEST:REVIEW]').sections.map(({ name }) => name);
      const text = renderReview(files, findings, sections);
      yield { type: 'text_chunk', text, is_follow_up: false };
      yield { type: 'complete', text, stop_reason: 'end_turn' };
    } catch (error) {
      if (!signal.aborted) throw error;
      yield { type: 'aborted', text: '', reason: 'user_abort' };
    }
  }
}

function filesIn(texts: readonly string[]): readonly DiffFile[] {
  const parsed = texts.map((text) => parseUnifiedDiff(text));
  const files = parsed.flatMap((diff) => diff.files);
  const fault = parsed.flatMap((diff) => diff.faults)[0];
  if (files.length > 0 && fault === undefined) return files;
  const found = fault === undefined ? 'there is none' : `line ${fault.line}: ${fault.message}`;
  throw new ValueError(`static_review reads a unified diff: ${found}`, {
    hint: 'Send the output of `git diff`.',
  });
}

function readText(path: string): string {
  try {
    return readNamed(path).toString('utf8');
  } catch (error) {
    throw new ValueError(`${path} cannot be read`, { cause: error });
  }
}
