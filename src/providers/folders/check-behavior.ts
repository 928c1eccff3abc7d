/** Checks a client's behavior with a server that refuses, sends garbage, crashes or falls silent (R003-59 … R003-61). */
import { isTransient } from '../../errors/provider-error.ts';
import type { ProviderFailure } from '../client/provider-event.ts';
import type { StreamOptions } from '../client/ai-client.ts';
import type { StreamingClient } from '../client/client-model.ts';
import { failureCode } from '../client/client-failure.ts';
import type { FakeUpstream, RecordedAnswer, UpstreamAnswer } from './fake-upstream.ts';
import type { FolderFault, FolderFaultCode } from './folder-fault.ts';
import { getConversationThread } from '../history/history.ts';
import { lawfulStream } from '../client/lawful-stream.ts';
import { readProviderEvent } from '../client/provider-event-schema.ts';
import { checkedHistories, wordsOf } from './checked-histories.ts';

export interface Behavior {
  readonly client: StreamingClient;
  readonly upstream: FakeUpstream;
  readonly modelId: string;
  /** Path of the entry file. */
  readonly path: string;
  /** A recorded answer of the vendor, from the folder's `check.json`; null if it has none. */
  readonly recorded: RecordedAnswer | null;
  /** Milliseconds before a call is aborted. */
  readonly patienceMs: number;
}

/** Checks the behavior. First checks whether requests reach the server at all, because all other checks depend on it. */
export async function checkBehavior(behavior: Behavior): Promise<readonly FolderFault[]> {
  const heard = await callWith(behavior, refusal(401));
  if (heard.requests === 0) {
    return [
      fault(
        behavior,
        'error_handling',
        'its requests to go to [NAME]_API_BASE if that is set',
        'Use this.apiBase.',
      ),
    ];
  }
  return [
    ...(await checkErrors(behavior)),
    ...(await checkAbort(behavior)),
    ...(await checkHistories(behavior)),
  ];
}

interface Refusal {
  readonly says: string;
  readonly answer: UpstreamAnswer;
  readonly isRight: (failure: ProviderFailure) => boolean;
  readonly expected: string;
}

function refusal(status: number, headers: Readonly<Record<string, string>> = {}): UpstreamAnswer {
  return { kind: 'status', status, headers };
}

const mayRetry = (failure: ProviderFailure): boolean =>
  failure.retryable ?? isTransient(failureCode(failure));

const refusals: readonly Refusal[] = [
  {
    says: '401',
    answer: refusal(401),
    isRight: (failure) => failureCode(failure) === 'auth',
    expected: 'an error with the code auth',
  },
  {
    says: '429 with retry-after: 7',
    answer: refusal(429, { 'retry-after': '7' }),
    isRight: (failure) => mayRetry(failure) && (failure.retry_after === 7 || /7\s*秒/.test(failure.error)),
    expected: 'an error that may be retried, after 7 seconds',
  },
  {
    says: '500',
    answer: refusal(500),
    isRight: mayRetry,
    expected: 'an error that may be retried',
  },
  { says: 'an invalid answer', answer: { kind: 'garbage' }, isRight: () => true, expected: 'an error' },
  {
    says: 'a connection that is reset',
    answer: { kind: 'reset' },
    isRight: mayRetry,
    expected: 'an error that may be retried',
  },
];

async function checkErrors(behavior: Behavior): Promise<readonly FolderFault[]> {
  const faults: FolderFault[] = [];
  for (const { says, answer, isRight, expected } of refusals) {
    const { last, requests } = await callWith(behavior, answer);
    const found =
      last?.type === 'error' ? `${failureCode(last)}: ${last.error}` : (last?.type ?? 'nothing in time');
    if (last?.type !== 'error' || !isRight(last)) {
      faults.push(
        fault(
          behavior,
          'error_handling',
          `${expected} for ${says}; it gave ${found}`,
          'Throw an APIError with the status, and retryAfter.',
        ),
      );
    }
    if (requests > 1) {
      faults.push(
        fault(
          behavior,
          'error_handling',
          `one request for ${says}; it sent ${requests}`,
          'Leave retries to the caller.',
        ),
      );
    }
  }
  return faults;
}

async function callWith(behavior: Behavior, answer: UpstreamAnswer, options: Partial<StreamOptions> = {}) {
  const { client, upstream, modelId, patienceMs } = behavior;
  upstream.answerWith(answer);
  const limit = AbortSignal.timeout(patienceMs);
  const request = { ...requestOf(modelId), ...options };
  let last: ReturnType<typeof readProviderEvent> = null;
  for await (const event of lawfulStream(() => client.sendRequestStream(request), limit)) last = event;
  return { last: limit.aborted ? null : last, requests: upstream.bodies().length };
}

function requestOf(modelId: string): StreamOptions {
  const [first] = checkedHistories();
  if (first === undefined) throw new Error('there are no histories to check with');
  return { modelId, history: first, currentTextInput: 'hello', currentFilePaths: [] };
}

/** Checks that after an abort the client emits only `aborted`, and its connection is closed (X003-7). */
async function checkAbort(behavior: Behavior): Promise<readonly FolderFault[]> {
  const { recorded } = behavior;
  const faults: FolderFault[] = [];
  for (let chunk = 0; chunk < Math.max(1, recorded?.chunks.length ?? 0); chunk += 1) {
    const found = await abortAt(behavior, chunk);
    if (found === null) continue;
    faults.push(
      fault(
        behavior,
        'abort_ignored',
        `aborted as the last event and a closed connection where the signal comes after chunk ${chunk}; ${found}`,
        'Pass signalOf(options) to the request, check it at every chunk, and end with {type: aborted}.',
      ),
    );
    break;
  }
  return faults;
}

async function abortAt(
  { client, upstream, modelId, recorded, patienceMs }: Behavior,
  chunk: number,
): Promise<string | null> {
  upstream.answerWith({ kind: 'hold', recorded, chunks: chunk });
  const controller = new AbortController();
  const types: string[] = [];
  const heard = collectTypes(
    client.sendRequestStream({ ...requestOf(modelId), abortSignal: controller.signal }),
    types,
  );
  const arrived = await within(upstream.arrived(), patienceMs);
  if (!arrived) return 'no request came';
  controller.abort();
  if (!(await within(heard, patienceMs))) return 'the stream did not end';
  if (types.at(-1) !== 'aborted') return `the last event is ${types.at(-1) ?? 'none'}`;
  return (await within(upstream.left(), patienceMs)) ? null : 'the connection stays open';
}

async function collectTypes(stream: AsyncIterable<unknown>, types: string[]): Promise<void> {
  try {
    for await (const event of stream) types.push(readProviderEvent(event)?.type ?? 'something unknown');
  } catch (error) {
    types.push(`thrown: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function within(work: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), limitMs)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Checks that the words of the thread reach the server in order, and those of other branches do not. */
async function checkHistories(behavior: Behavior): Promise<readonly FolderFault[]> {
  for (const history of checkedHistories()) {
    const input = 'input-word';
    await callWith(behavior, refusal(401), { history, currentTextInput: input });
    const body = behavior.upstream.bodies().at(-1) ?? '';
    const thread = [...getConversationThread(history).flatMap(wordsOf), input];
    const lost = thread.find((word) => !body.includes(word));
    const places = thread.map((word) => body.indexOf(word));
    const others = Object.values(history.messages)
      .flatMap(wordsOf)
      .filter((word) => !thread.includes(word));
    const foreign = others.find((word) => body.includes(word));
    const isOrdered = places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1));
    const found =
      lost !== undefined
        ? `${lost} is missing in the request`
        : foreign !== undefined
          ? `${foreign} of another branch is in the request`
          : isOrdered
            ? null
            : 'the request holds the messages in another order';
    if (found === null) continue;
    return [
      fault(
        behavior,
        'history_lost',
        `the thread of the history, from the root to current_node, then the input; ${found}`,
        'Convert getConversationThread(history), or take toModelMessages.',
      ),
    ];
  }
  return [];
}

function fault({ path }: Behavior, code: FolderFaultCode, expected: string, fix: string): FolderFault {
  return { code, path, expected, fix };
}
