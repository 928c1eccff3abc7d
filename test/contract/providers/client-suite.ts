/**
 * One suite over every client of specification 003, of a bare model or of an agent: a new one needs a fixture and no
 * new test.
 */
import { isAbsolute, basename } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  modelAbilities,
  type AiClient,
  type AiClientClass,
  type Environment,
  type StreamOptions,
} from '../../../src/providers/client/ai-client.ts';
import { checkedHistories, wordsOf } from '../../../src/providers/folders/checked-histories.ts';
import { getConversationThread } from '../../../src/providers/history/history.ts';
import { collect } from '../../../src/providers/scripted-client.test-helper.ts';
import { messagesInOrder, type MessagesStep } from '../../upstream/messages-steps.ts';
import type { Script } from '../../upstream/steps.ts';
import { firstRequest, type Upstream } from './fixture.ts';
import type { ProviderEvent } from '../../../src/providers/client/provider-event.ts';

export interface ClientFixture {
  readonly name: string;
  readonly Client: AiClientClass;
  /** A world in which the model answers according to the script. */
  start(script: Script<MessagesStep>): Promise<ClientWorld>;
  /** The cost of an answer with the upstream's default figures. */
  readonly usage: object;
  /** The client's own events for the upstream's behavior, besides those that all clients share. */
  readonly faults: readonly ClientFault[];
}

export type ClientFault = readonly [name: string, step: MessagesStep, error: object];

export interface ClientWorld {
  readonly env: Environment;
  /** The texts of the requests that reached the model. */
  sent(): readonly string[];
  /** Requests whose connection is still open. */
  open(): number;
  untilRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A vendor's scripted server. */
export function worldAt(upstream: Upstream, env: Environment): ClientWorld {
  return {
    env,
    sent: () => upstream.requests.map(({ text }) => text),
    open: () => upstream.openTurns(),
    untilRequests: (count) => upstream.untilRequests(count),
    close: () => upstream.close(),
  };
}

/** Histories with branches, calls and aborted answers. */
const histories = checkedHistories().filter((_, index) => index % 5 === 4);

export function describeClients(fixtures: readonly ClientFixture[]): void {
  describe.each(fixtures)('the client of $name', (fixture) => {
    const abilities = fixture.Client.abilities ?? modelAbilities;

    test('R003-8 R003-9 its statics are its folder and the profiles in it', () => {
      const folder = fixture.Client.getProfileDir();
      expect([isAbsolute(folder), basename(folder)]).toEqual([true, 'ai_profile']);
      expect(folder).toContain(fixture.Client.getProviderName());
    });

    test('R003-30 X003-4 an answer comes in pieces, and complete holds them all', async () => {
      const { client, request } = await worldOf(fixture, { text: 'A whole answer.' });
      const events = await collect(client.sendRequestStream(request));
      const chunks = events.filter(({ type }) => type === 'text_chunk');
      expect(chunks.length).toBeGreaterThan(1);
      expect(chunks.every((chunk) => chunk.type === 'text_chunk' && !chunk.is_follow_up)).toBe(true);
      expect(textIn(events)).toBe('A whole answer.');
      expect(events.at(-1)).toMatchObject({
        type: 'complete',
        text: 'A whole answer.',
        usage: fixture.usage,
      });
    });

    test('R003-31 thoughts are told apart from the answer', async () => {
      const { client, request } = await worldOf(fixture, { thinking: 'Let me see.', text: 'Yes.' });
      const events = await collect(client.sendRequestStream(request));
      const thoughts = events.map((event) => (event.type === 'thinking_chunk' ? event.text : '')).join('');
      expect([thoughts, textIn(events)]).toEqual(['Let me see.', 'Yes.']);
    });

    test('R003-11 R003-15 without a stream the answer is the same, and its text can be taken out', async () => {
      const { client, request } = await worldOf(fixture, { text: 'A whole answer.' });
      expect(client.extractResponseText(await client.sendRequest(request))).toBe('A whole answer.');
    });

    test.each(fixture.faults)('R003-45 R003-46 %s is told as an error', async (_name, step, error) => {
      const { client, request } = await worldOf(fixture, step);
      const events = await collect(client.sendRequestStream(request));
      expect(events.at(-1)).toMatchObject({ type: 'error', ...error });
      expect(events.filter(({ type }) => ['complete', 'aborted', 'error'].includes(type))).toHaveLength(1);
    });

    test('R003-38 X003-7 an abort in the middle ends the answer with what was said, and the connection', async () => {
      const { client, request, world } = await worldOf(fixture, { text: 'a long answer', hang: 'stream' });
      const controller = new AbortController();
      const events: ProviderEvent[] = [];
      for await (const event of client.sendRequestStream({ ...request, abortSignal: controller.signal })) {
        events.push(event);
        if (event.type === 'text_chunk') controller.abort();
      }
      expect(events.at(-1)).toEqual({ type: 'aborted', text: textIn(events), reason: 'user_abort' });
      expect(textIn(events)).not.toBe('');
      await expect.poll(() => world.open(), { timeout: 20_000 }).toBe(0);
    });

    test('R003-18 abortStreaming ends the answer too', async () => {
      const { client, request, world } = await worldOf(fixture, { hang: 'headers' });
      const events = collect(client.sendRequestStream(request));
      await world.untilRequests(1);
      client.abortStreaming();
      expect(await events).toEqual([{ type: 'aborted', text: '', reason: 'user_abort' }]);
      await expect.poll(() => world.open(), { timeout: 20_000 }).toBe(0);
    });

    test('X003-7 an aborted signal sends nothing', async () => {
      const { client, request, world } = await worldOf(fixture, { text: 'never' });
      const abortSignal = AbortSignal.abort();
      const events = await collect(client.sendRequestStream({ ...request, abortSignal }));
      expect(events).toEqual([{ type: 'aborted', text: '', reason: 'user_abort' }]);
      expect(world.sent()).toEqual([]);
    });

    test.each(histories)(
      'R003-24 R003-61 the thread of $conversation_id is sent, in order, and no other branch',
      async (history) => {
        const { client, request, world } = await worldOf(fixture, { text: 'seen' });
        await collect(client.sendRequestStream({ ...request, history, currentTextInput: 'input-word' }));
        const [body = ''] = world.sent();
        const thread = [...getConversationThread(history).flatMap(wordsOf), 'input-word'];
        const all = Object.values(history.messages).flatMap(wordsOf);
        // The request may hold a text twice, such as for a title of its own: the first place counts.
        expect(thread.toSorted((left, right) => body.indexOf(left) - body.indexOf(right))).toEqual(thread);
        expect(all.filter((word) => body.includes(word)).toSorted()).toEqual(
          thread.filter((word) => word !== 'input-word').toSorted(),
        );
      },
    );

    test('sends the system text', async () => {
      const { client, request, world } = await worldOf(fixture, { text: 'seen' });
      await collect(client.sendRequestStream({ ...request, systemPrompt: 'Speak in rhymes.' }));
      expect(world.sent()[0]).toContain('Speak in rhymes.');
    });

    const asksForCalls = abilities.tools === 'callers';

    test.runIf(asksForCalls)('R003-14 R003-32 it asks for the tools of the caller', async () => {
      const { told, requests } = await offerTools(fixture);
      const call = { function_name: 'look', args: { at: 'a' }, tool_call_id: 'call_a' };
      expect(told).toContainEqual({ type: 'function_call_start', tool_name: 'look', ...call });
      expect(requests).toBe(1);
    });

    test.runIf(!asksForCalls)('it refuses the caller’s tools before anything is sent', async () => {
      const refused = { told: expect.stringContaining('accepts no tools'), requests: 0 };
      expect(await offerTools(fixture)).toEqual(refused);
    });

    test('X003-11 a parameter that its model does not take is refused before anything is sent', async () => {
      const { client, request, world } = await worldOf(fixture, { text: 'never' });
      const told = collect(client.sendRequestStream({ ...request, extra: { top_z: 1 } }));
      await expect(told).rejects.toThrow('does not support top_z');
      expect(world.sent()).toEqual([]);
    });
  });
}

async function offerTools(fixture: ClientFixture) {
  const { client, request, world } = await worldOf(fixture, {
    tools: [{ name: 'look', input: { at: 'a' }, id: 'call_a' }],
  });
  const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }];
  const told = await collect(client.sendRequestStream({ ...request, tools })).catch(String);
  return { told, requests: world.sent().length };
}

interface Asked {
  readonly client: AiClient;
  readonly request: StreamOptions;
  readonly world: ClientWorld;
}

async function worldOf(fixture: ClientFixture, ...steps: readonly MessagesStep[]): Promise<Asked> {
  const world = await fixture.start(messagesInOrder(...steps));
  onTestFinished(() => world.close());
  const client = new fixture.Client({ env: world.env });
  return { client, world, request: firstRequest(client) };
}

function textIn(events: readonly ProviderEvent[]): string {
  return events.map((event) => (event.type === 'text_chunk' ? event.text : '')).join('');
}
