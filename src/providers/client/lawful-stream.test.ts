import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { APIError, ValueError } from '../../errors/provider-error.ts';
import { isTerminal } from './provider-event.ts';
import { countLoopTurns } from '../../system/loop-turns.test-helper.ts';
import { lawfulStream } from './lawful-stream.ts';
import { collect, saying } from '../scripted-client.test-helper.ts';

test('X003-3.2 what a client leaves out is what it mostly means', async () => {
  const said = collect(
    lawfulStream(() => saying({ type: 'text_chunk', text: 'a' }, { type: 'aborted', text: 'a' })),
  );
  expect(await said).toEqual([
    { type: 'text_chunk', text: 'a', is_follow_up: false },
    { type: 'aborted', text: 'a', reason: 'user_abort' },
  ]);
});

const chunk = (text: string) => ({ type: 'text_chunk', text, is_follow_up: false });

const anyEvent = fc.oneof(
  fc.string({ maxLength: 5 }).map(chunk),
  fc.constantFrom<unknown>(
    { type: 'thinking_chunk', text: 'hm' },
    { type: 'sending_function_response' },
    { type: 'complete', text: 'something else' },
    { type: 'aborted', text: '' },
    { type: 'error', error: 'broken' },
    { type: 'text_chunk' },
    { type: 'unheard_of', text: 'x' },
    null,
    'text',
  ),
);

test('X003-4 whatever a client says, one terminal event is the last, and its text is what was said', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { maxLength: 12 }), fc.boolean(), async (events, breaks) => {
      const heard = await collect(lawfulStream(() => (breaks ? breaking(events) : saying(...events))));
      expect(heard.findIndex(isTerminal)).toBe(heard.length - 1);
      const text = heard.map((event) => (event.type === 'text_chunk' ? event.text : '')).join('');
      const last = heard.at(-1);
      expect(last !== undefined && 'text' in last ? last.text : text).toBe(text);
    }),
  );
});

test('X003-4.1 a stream that stops without a last event has failed', async () => {
  const [, last] = await collect(lawfulStream(() => saying(chunk('a'))));
  expect(last).toMatchObject({ type: 'error', code: 'network', retryable: true });
});

test('X003-13 a text that comes with the end alone is one chunk before it', async () => {
  const heard = await collect(lawfulStream(() => saying({ type: 'complete', text: 'all' })));
  expect(heard).toEqual([chunk('all'), { type: 'complete', text: 'all' }]);
});

test('X003-7.1 an abort before the request sends none', async () => {
  let asked = false;
  const start = () => {
    asked = true;
    return saying(chunk('a'));
  };
  expect(await collect(lawfulStream(start, AbortSignal.abort()))).toEqual([
    { type: 'aborted', text: '', reason: 'user_abort' },
  ]);
  expect(asked).toBe(false);
});

test('X003-7.2 X003-4.4 R003-38 an abort at any chunk ends the stream with what was said, and the client is left', async () => {
  const controller = new AbortController();
  let left = false;
  async function* client() {
    try {
      yield chunk('a');
      yield chunk('b');
      await new Promise(() => undefined);
    } finally {
      left = true;
    }
  }
  const heard = [];
  for await (const event of lawfulStream(client, controller.signal)) {
    heard.push(event);
    if (heard.length === 2) controller.abort();
  }
  expect(heard.at(-1)).toEqual({ type: 'aborted', text: 'ab', reason: 'user_abort' });
  expect(left).toBe(true);
});

test('X003-7.2 a client that hears no signal is not waited for', async () => {
  const controller = new AbortController();
  async function* deaf() {
    controller.abort();
    await new Promise(() => undefined);
    yield chunk('late');
  }
  expect(await collect(lawfulStream(deaf, controller.signal))).toMatchObject([{ type: 'aborted', text: '' }]);
});

test.each<[unknown, object]>([
  [new ValueError('bad'), { code: 'options', retryable: false, error: 'API呼び出しエラー: bad' }],
  [
    new APIError('slow', { code: 'rate_limit', status: 429, retryAfter: 3 }),
    {
      code: 'rate_limit',
      status: 429,
      retry_after: 3,
      retryable: true,
      error: 'レート制限に達しました。3秒後に再試行してください。',
    },
  ],
  [Object.assign(new Error('busy'), { status: 503 }), { code: 'overloaded', retryable: true }],
  [new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }), { code: 'network', retryable: true }],
  [new TypeError('x is undefined'), { code: 'internal', error: '予期しないエラー: x is undefined' }],
  [
    new ValueError('APIキーが無効です。環境変数を確認してください。'),
    { code: 'auth', retryable: false, error: 'APIキーが無効です。環境変数を確認してください。' },
  ],
  [
    new Error('レート制限に達しました。7秒後に再試行してください。'),
    { code: 'rate_limit', retry_after: 7, retryable: true },
  ],
  [new Error('API呼び出しエラー: 503 busy'), { code: 'overloaded', status: 503, retryable: true }],
  [new Error('API呼び出しエラー: 400 bad field'), { code: 'options', status: 400, retryable: false }],
  [new Error('API呼び出しエラー: Connection error.'), { code: 'network', retryable: true }],
  [new Error('予期しないエラー: x'), { code: 'internal', retryable: false, error: '予期しないエラー: x' }],
  ['a string', { code: 'internal', error: '予期しないエラー: a string' }],
])('R003-39 R003-45.1,2,4 what a client throws is its last event: %s', async (thrown, last) => {
  const start = () => {
    throw thrown;
  };
  expect(await collect(lawfulStream(start))).toMatchObject([{ type: 'error', ...last }]);
});

test.each([
  [{ error: 'レート制限に達しました。7秒後に再試行してください。' }, { code: 'rate_limit', retry_after: 7 }],
  [
    { error: 'API呼び出しエラー: 529', code: 'rate_limit' },
    { code: 'rate_limit', status: 529 },
  ],
  [{ error: 'no text of the specification' }, { error: 'no text of the specification' }],
])('R003-46 an error event that names its facts in its text alone has them: %o', async (event, last) => {
  const start = async function* () {
    yield { type: 'error', ...event };
  };
  expect(await collect(lawfulStream(start))).toEqual([expect.objectContaining({ type: 'error', ...last })]);
});

test('a client that has many events at once does not block the event loop', async () => {
  const texts = Array.from({ length: 9605 }, (_, index) => String(index));
  const turns = countLoopTurns();
  const heard = await collect(
    lawfulStream(() => saying(...texts.map(chunk), { type: 'complete', text: texts.join('') })),
  );
  expect(turns.stop()).toBeGreaterThan(100);
  expect(heard.flatMap((event) => (event.type === 'text_chunk' ? [event.text] : []))).toEqual(texts);
});

async function* breaking(events: readonly unknown[]): AsyncGenerator<unknown, void, void> {
  yield* events;
  throw new Error('broken');
}
