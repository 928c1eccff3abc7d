/**
 * Whole answers of each API as its scripted server writes them, and a model that replays one of them.
 */
import type { ModelMessage, ModelReply, ModelSign } from '../../../src/providers/contract/model.ts';
import { eventStream, jsonAnswer, type RawAnswer } from '../../upstream/raw-server.ts';
import { messagesInOrder, type MessageStep } from '../../upstream/messages-steps.ts';
import { environmentOf, turnOf, type ProviderFixture } from './fixture.ts';

const steps: readonly MessageStep[] = [
  { text: 'An answer in two halves.' },
  {
    thinking: 'Let me think of it.',
    text: 'I look.',
    tools: [
      { name: 'Read', input: { file_path: 'a.ts' }, id: 'call_a' },
      { name: 'Grep', input: { pattern: 'x' }, id: 'call_b' },
    ],
  },
];

const question: readonly ModelMessage[] = [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }];

export interface RecordedAnswer {
  readonly streams: boolean;
  /** The events of a stream, or one whole answer. */
  readonly values: readonly unknown[];
}

export async function recordAnswers(fixture: ProviderFixture): Promise<readonly RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const streams of [true, false]) {
    for (const step of steps) {
      const upstream = await fixture.start(messagesInOrder(step));
      const path = streams
        ? fixture.path
        : fixture.path.replace(':streamGenerateContent?alt=sse', ':generateContent');
      const response = await fetch(`${upstream.url}/${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer key', 'x-api-key': 'key', 'x-goog-api-key': 'key' },
        body: JSON.stringify({ ...Object(fixture.convert(question)), model: 'm', stream: streams }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      answers.push({ streams, values: streams ? valuesIn(text) : [JSON.parse(text)] });
      await upstream.close();
    }
  }
  return answers;
}

function valuesIn(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length).trim())
    .map((data) => (data === '[DONE]' ? data : JSON.parse(data)));
}

/** Writes the values as their API does. */
export function answerOf({ streams, values }: RecordedAnswer): RawAnswer {
  return streams ? eventStream(values) : jsonAnswer(values[0]);
}

export interface Heard {
  readonly reply: ModelReply;
  readonly signs: readonly ModelSign[];
}

export async function askAt(fixture: ProviderFixture, url: string, streams: boolean): Promise<Heard> {
  const { name, provider, settings = {}, Client } = fixture;
  const env = environmentOf(name, url);
  const client = new Client({ env });
  const known = client.profileOf(client.defaultModel());
  if (known === null) throw new Error(`${name} has no profile of its default model`);
  const profile = { ...known, features: { ...known.features, supports_streaming: streams } };
  const { signal } = new AbortController();
  const model = await provider.openModel({ env, cwd: '/nowhere', settings, signal, model: null, profile });
  const signs: ModelSign[] = [];
  const reply = await model.turn(turnOf(signs));
  await model.close();
  return { reply, signs };
}
