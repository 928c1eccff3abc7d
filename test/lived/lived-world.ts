/** The installed server, whose lead is a vendor's model: the vendor is scripted, and what lies between may bend its answers. */
import { afterAll } from 'vitest';
import { createFrameReader, type StreamFrame } from '../../src/client/read-frames.ts';
import { streamedEvent } from '../../src/client/streamed-event.test-helper.ts';
import { formOf } from '../../src/server/served.test-helper.ts';
import type { StreamingEvent } from '../../src/views/stream/event.ts';
import { isPingEvent } from '../../src/views/stream/guards.ts';
import { assertLawful } from '../../src/views/stream/laws.test-helper.ts';
import { environmentOf, type ProviderFixture } from '../contract/providers/fixture.ts';
import type { Place } from '../packed/place.ts';
import { serve, streamOf, type Served } from '../packed/serve/served.ts';
import { shared } from '../packed/shared-place.ts';
import { startBendingProxy, type Bend } from '../upstream/bending-proxy.ts';
import { messagesInOrder, type MessagesStep } from '../upstream/messages-steps.ts';

export interface LivedWorld {
  readonly place: Place;
  readonly served: Served;
  /** The environment in which a command reaches the vendor, and the flags that name it as lead. */
  readonly env: Readonly<Record<string, string>>;
  readonly lead: readonly string[];
  /** The vendor's next answers, one a request; the last one repeats. */
  answer(steps: readonly MessagesStep[], ...bends: readonly Bend[]): void;
  /** The bodies of the requests that the vendor received since `answer`. */
  requests(): readonly string[];
  untilRequests(count: number): Promise<void>;
  /** Sends a message; resolves with the frames of the whole stream. */
  frames(conversation: string, text?: string): Promise<readonly StreamFrame[]>;
  /** The same as events without pings, which keep the laws of every stream. */
  say(conversation: string, text?: string): Promise<readonly StreamingEvent[]>;
}

export interface LivedOptions {
  /** Lines of the server's configuration. */
  readonly config?: string;
}

/** One server for the tests of a `describe`. */
export function livedWorld(fixture: ProviderFixture, { config = '' }: LivedOptions = {}): () => LivedWorld {
  const closing: (() => Promise<void>)[] = [];
  // Runs after the server has ended.
  afterAll(async () => {
    for (const close of closing) await close();
  });
  return shared(
    async (place) => {
      const { close, ...world } = await open(place, fixture, config);
      closing.push(close);
      return world;
    },
    ['openai', '@google/genai'],
  );
}

async function open(
  place: Place,
  fixture: ProviderFixture,
  config: string,
): Promise<LivedWorld & { readonly close: () => Promise<void> }> {
  let script = messagesInOrder({ text: 'unasked' });
  let before = 0;
  const upstream = await fixture.start((request) => script(request));
  const proxy = await startBendingProxy(upstream.url);
  const [name = ''] = fixture.name.split(' ', 1);
  const { pathname } = new URL(upstream.url);
  const env = environmentOf(fixture.name, new URL(pathname, proxy.url).href);
  place.write('collab.config.yaml', `${settingsOf(fixture)}${config}`);
  const lead = ['--lead', name, '--config', 'collab.config.yaml'];
  const served = await serve(place, [...lead, '--language', 'ja'], env);
  const frames: LivedWorld['frames'] = async (conversation, text = 'Hello?') => {
    const response = await fetch(streamOf(served, conversation), { method: 'POST', body: formOf(text) });
    return createFrameReader().feed(new Uint8Array(await response.arrayBuffer()));
  };
  return {
    place,
    served,
    env,
    lead,
    answer(steps, ...bends) {
      script = messagesInOrder(...steps);
      before = upstream.requests.length;
      proxy.bend(...bends);
    },
    requests: () => upstream.requests.slice(before).map(({ text }) => text),
    untilRequests: (count) => upstream.untilRequests(before + count),
    frames,
    async say(conversation, text) {
      const all = (await frames(conversation, text)).map(streamedEvent);
      const events = all.filter((event) => !isPingEvent(event));
      assertLawful(events);
      return events;
    },
    async close() {
      await proxy.close();
      await upstream.close();
    },
  };
}

/** `openai.api` as `providers: { openai: { api: … } }`. */
function settingsOf({ settings = {} }: ProviderFixture): string {
  const lines = Object.entries(settings).map(([key, value]) => {
    const [provider, name] = key.split('.');
    return `providers: { ${provider}: { ${name}: ${value} } }\n`;
  });
  return lines.join('');
}

/** The text of the main agent, from all its pieces. */
export function textOf(events: readonly StreamingEvent[]): string {
  return events
    .flatMap((event) => (event.event === 'assistant' ? event.data.content_blocks : []))
    .map(({ text }) => text)
    .join('');
}

export function named<Name extends StreamingEvent['event']>(events: readonly StreamingEvent[], name: Name) {
  return events.filter((event): event is Extract<StreamingEvent, { event: Name }> => event.event === name);
}
