/** Makes a client of specification 003 from a bare model: the common part of the providers that ship. */
import type { ProviderEvent } from './provider-event.ts';
import { providerFailure, toProviderUsage } from './provider-projection.ts';
import { AiClient, type StreamOptions } from './ai-client.ts';
import { toFailure } from './client-failure.ts';
import { getConversationThread } from '../history/history.ts';
import { systemTextIn, toModelMessages, withInput } from '../history/history-messages.ts';
import { argumentsOf } from '../history/messages-history.ts';
import type { ModelProvider } from '../contract/contract.ts';
import type { HeardPart, Model, ModelReply, ModelSign, ModelTurn } from '../contract/model.ts';
import type { Profile } from '../profiles/profile.ts';
import { readAttachment, readFilePart } from '../history/read-attachment.ts';
import { requestParameters } from '../profiles/request-parameters.ts';
import { shippedProfileDir } from '../profiles/shipped-profiles.ts';
import { streamWork } from './stream-work.ts';
import { faultOf } from './turn-fault.ts';

export abstract class ModelClient extends AiClient {
  /** In the class's own folder, as for every provider that ships. */
  static override getProfileDir(): string {
    return shippedProfileDir(this.getProviderName());
  }

  protected abstract readonly provider: ModelProvider;
  /** The provider's settings of the configuration. */
  protected readonly settings: Readonly<Record<string, string>> = {};

  async *sendRequestStream(options: StreamOptions): AsyncGenerator<ProviderEvent, void, void> {
    const signal = this.signalOf(options);
    const profile = this.profileOf(options.modelId);
    const request = { ...requestOf(options, profile), signal };
    if (signal.aborted) return yield aborted('');
    const model = await this.provider.openModel({
      env: this.env,
      cwd: process.cwd(),
      settings: this.settings,
      signal,
      model: options.modelId,
      profile,
    });
    try {
      const events = streamTurn(model, request);
      yield* profile?.features.supports_streaming === false ? inOnePiece(events) : events;
    } finally {
      await model.close();
    }
  }
}

/** @throws ValueError */
function requestOf(options: StreamOptions, profile: Profile | null): Omit<ModelTurn, 'say' | 'signal'> {
  const { modelId, history, currentTextInput, currentFilePaths, tools = [], systemPrompt = '' } = options;
  const thread = getConversationThread(history);
  const said = toModelMessages(thread, {
    model: modelId,
    attachment: (attachment) => readAttachment(attachment, profile),
  });
  const input: readonly HeardPart[] = [
    ...currentFilePaths.map((path) => readFilePart(path, profile)),
    ...(currentTextInput === '' ? [] : [{ type: 'text' as const, text: currentTextInput }]),
  ];
  return {
    system: [systemPrompt, systemTextIn(thread)].filter((text) => text !== '').join('\n\n'),
    messages: withInput(said, input),
    tools,
    toolChoice: 'auto',
    parameters: requestParameters(options, profile),
  };
}

/** Streams one turn of a model as events. */
function streamTurn(model: Model, request: Omit<ModelTurn, 'say'>): AsyncIterable<ProviderEvent> {
  const isFollowUp = request.messages.at(-1)?.parts.some(({ type }) => type === 'tool_result') === true;
  return streamWork<ProviderEvent>(request.signal, async (tell, signal) => {
    let text = '';
    const hear = (sign: ModelSign): void => {
      if (sign.kind === 'thinking') tell({ type: 'thinking_chunk', text: sign.text });
      if (sign.kind !== 'text') return;
      text += sign.text;
      tell({ type: 'text_chunk', text: sign.text, is_follow_up: isFollowUp });
    };
    try {
      return lastEvents(await model.turn({ ...request, signal, say: hear }), text);
    } catch (error) {
      return [request.signal.aborted ? aborted(text) : toFailure(error)];
    }
  });
}

function aborted(text: string): ProviderEvent {
  return { type: 'aborted', text, reason: 'user_abort' };
}

function lastEvents({ end, usage }: ModelReply, text: string): readonly ProviderEvent[] {
  if (end.kind !== 'said') return [providerFailure(faultOf(end))];
  const calls = end.parts.flatMap((part): readonly ProviderEvent[] =>
    part.type === 'tool_call'
      ? [
          {
            type: 'function_call_start',
            function_name: part.name,
            tool_name: part.name,
            args: argumentsOf(part.args),
            tool_call_id: part.id,
          },
        ]
      : [],
  );
  const opaque = end.parts.flatMap((part) => (part.type === 'opaque' ? [part.value] : []));
  return [
    ...calls,
    {
      type: 'complete',
      text,
      ...(usage === null ? {} : { usage: toProviderUsage(usage), model: usage.model }),
      ...(end.stopReason === null ? {} : { stop_reason: end.stopReason }),
      ...(opaque.length === 0 ? {} : { opaque }),
    },
  ];
}

/** Merges the texts of a model that cannot stream into one (X003-13). */
async function* inOnePiece(events: AsyncIterable<ProviderEvent>): AsyncGenerator<ProviderEvent, void, void> {
  let text = '';
  let isFollowUp = false;
  for await (const event of events) {
    if (event.type === 'text_chunk') {
      text += event.text;
      isFollowUp = event.is_follow_up;
      continue;
    }
    if (text !== '' && event.type !== 'thinking_chunk') {
      yield { type: 'text_chunk', text, is_follow_up: isFollowUp };
      text = '';
    }
    yield event;
  }
}
