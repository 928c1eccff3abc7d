/**
 * Makes a client of specification 003 from an agent with sessions and tools of its own. Each request is one turn of a fresh
 * session in a private folder: the prompt contains the earlier messages, and the caller's tools are refused.
 */
import { randomUUID } from 'node:crypto';
import { ValueError } from '../../errors/provider-error.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { removeTree } from '../../system/files/tree.ts';
import type { EventBody } from '../../events/collab-event.ts';
import { turnLimits } from '../../config/waits.ts';
import { renderClientTurn } from '../../prompts/conversation/earlier-messages.ts';
import { createFences } from '../../prompts/fence.ts';
import { nonceOf } from '../../prompts/nonce.ts';
import { clientPrompt } from '../../prompts/system-prompts.ts';
import { createProviderProjection } from './provider-projection.ts';
import type { ProviderEvent } from './provider-event.ts';
import { AiClient, type ClientAbilities, type RequestOptions, type StreamOptions } from './ai-client.ts';
import { toFailure } from './client-failure.ts';
import type { LeadAgent, LeadOptions, LeadWork, PromptAgent, TurnResult } from '../contract/contract.ts';
import { getConversationThread } from '../history/history.ts';
import { systemTextIn } from '../history/history-messages.ts';
import { readFilePart } from '../history/read-attachment.ts';
import { saidBefore } from '../history/said-before.ts';
import { shippedProfileDir } from '../profiles/shipped-profiles.ts';
import { streamWork } from './stream-work.ts';
import { faultOf } from './turn-fault.ts';

export abstract class AgentClient extends AiClient {
  static override readonly abilities: ClientAbilities = { history: 'told', tools: 'own', requests: 'own' };

  /** In the class's own folder, as for every provider that ships. */
  static override getProfileDir(): string {
    return shippedProfileDir(this.getProviderName());
  }

  /** @throws CollabError like `Provider.open` */
  protected abstract openAgent(options: LeadOptions): Promise<PromptAgent>;

  async *sendRequestStream(options: StreamOptions): AsyncGenerator<ProviderEvent, void, void> {
    const signal = this.signalOf(options);
    const prompt = this.#promptOf(options);
    if (signal.aborted) return yield aborted;
    const stateFolder = makeTemporaryFolder('collab-client-');
    let agent: PromptAgent | null = null;
    try {
      agent = await this.openAgent({
        env: this.env,
        cwd: process.cwd(),
        settings: {},
        signal,
        runId: 'client',
        model: options.modelId,
        stateFolder,
        instructions: clientPrompt,
        limits: turnLimits,
      });
      yield* streamTurn(agent, prompt, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      yield aborted;
    } finally {
      await agent?.close();
      await removeTree(stateFolder);
    }
  }

  /** The agent has run its calls by the time it answers, so there is nothing left to do. */
  override async *handleFunctionCallsStream(
    streamResponse: AsyncIterable<ProviderEvent>,
  ): AsyncGenerator<ProviderEvent, void, void> {
    yield* streamResponse;
  }

  /** @throws ValueError */
  #promptOf(options: RequestOptions): string {
    const { history, currentTextInput, currentFilePaths, tools = [], systemPrompt = '' } = options;
    if (tools.length > 0) {
      throw new ValueError(`${this.name} accepts no tools: it uses only its own`, {
        hint: 'Omit `tools`, or use a provider with a bare model.',
      });
    }
    this.parametersOf(options);
    const thread = getConversationThread(history);
    const files = currentFilePaths.map((path) => this.#textOf(path));
    const fences = createFences(
      nonceOf([...thread.map(({ content }) => content), currentTextInput, ...files]),
    );
    const system = [systemPrompt, systemTextIn(thread)].filter((text) => text !== '');
    const words = [currentTextInput, ...files.map((text) => fences.data(text))].filter((text) => text !== '');
    return renderClientTurn({ system, before: thread.flatMap(saidBefore), words }, fences);
  }

  #textOf(path: string): string {
    const part = readFilePart(path, null);
    if (part.type === 'text') return part.text;
    throw new ValueError(`${this.name} accepts only text: ${path}`);
  }
}

/** Returns a lead as the agent of a client. */
export function promptAgentOf(lead: LeadAgent): PromptAgent {
  return {
    turn: (call) => lead.turn({ ...call, work: clientWork }),
    close: () => lead.close(),
  };
}

/** A client's turn as work of the lead: it reads and answers. */
const clientWork: LeadWork = {
  kind: 'answer_back',
  phase: 'implementation',
  round: 1,
  access: 'read',
  folder: null,
};

const aborted: ProviderEvent = { type: 'aborted', text: '', reason: 'user_abort' };

function streamTurn(agent: PromptAgent, prompt: string, signal: AbortSignal): AsyncIterable<ProviderEvent> {
  const projection = createProviderProjection();
  return streamWork<ProviderEvent>(signal, async (tell, turnSignal) => {
    let hasText = false;
    const emit = (event: EventBody): void => {
      for (const projected of projection.push(event)) tell(projected);
      // An agent's texts before and after its calls are separate blocks.
      if (event.type === 'text.start' && hasText) emit({ ...event, type: 'text.delta', text: '\n\n' });
      hasText ||= event.type === 'text.delta';
    };
    try {
      const result = await agent.turn({
        prompt,
        callId: `client/${randomUUID()}/1`,
        sessionId: null,
        signal: turnSignal,
        emit,
        bind: async () => {},
      });
      if (result.kind === 'answered' && !hasText) for (const event of wholeText(result.text)) emit(event);
      return lastEvents(projection, result);
    } catch (error) {
      return signal.aborted ? projection.abort() : [toFailure(error)];
    }
  });
}

function lastEvents(
  projection: ReturnType<typeof createProviderProjection>,
  result: TurnResult,
): readonly ProviderEvent[] {
  return result.kind === 'answered' ? projection.complete(result) : projection.fail(faultOf(result));
}

/** Returns the events of a text that was not streamed. */
function wholeText(text: string): readonly EventBody[] {
  return [
    { type: 'text.start', block_id: 'answer', follow_up: false },
    { type: 'text.delta', block_id: 'answer', text },
  ];
}
