/** A three-chunk review of scripted calls; every call that really happens leaves a line in a log. */
import { runEnvelope } from '../../../src/engine/journal/open-journal.test-helper.ts';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { EventBody } from '../../../src/events/collab-event.ts';
import type { PerformOptions } from '../../../src/engine/drive/perform-options.ts';
import type { RunContext, StepAttempt, StepResult } from '../../../src/engine/port.ts';

export type Turn =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'timed_out' | 'overloaded' | 'empty' };

export type Review = Readonly<Record<string, readonly Turn[]>>;

/** The first answer is larger than a journal line may hold. */
const script: Readonly<Record<string, readonly Turn[]>> = {
  'chunk-1': [{ kind: 'answered', text: 'long '.repeat(5000) }],
  'chunk-2': [{ kind: 'timed_out' }, { kind: 'answered', text: 'second answer' }],
  'chunk-3': [{ kind: 'overloaded' }, { kind: 'empty' }, { kind: 'answered', text: 'third answer' }],
};

export const scriptedResult: Review = script;

export const scriptedStart: PerformOptions<Review>['start'] = {
  type: 'run.started',
  name: 'collab',
  tools: [],
  cwd: '/repository',
};

export const scriptedEnvelope: PerformOptions<Review>['envelope'] = runEnvelope();

export function scriptedReview(callLog: string): (context: RunContext) => Promise<Review> {
  return async (context) => {
    const chunks = await planChunks(context, callLog);
    const turns = await Promise.all(chunks.map((chunk) => reviewChunk(context, chunk, callLog)));
    return Object.fromEntries(chunks.map((chunk, index) => [chunk, turns[index] ?? []]));
  };
}

export function planChunks(context: RunContext, callLog: string): Promise<readonly string[]> {
  return context.step('plan', { diff: 'of the test' }, () => {
    appendFileSync(callLog, 'plan\n');
    return Promise.resolve({ value: Object.keys(script) });
  });
}

export function askChunk(context: RunContext, chunk: string, number: number, callLog: string): Promise<Turn> {
  const name = `attempt-${number}`;
  return context.child(chunk, (child) =>
    child.step(name, { prompt: `${chunk} ${name}` }, (attempt) => call(attempt, chunk, number, callLog)),
  );
}

export function settleScripted(review: Review): Extract<EventBody, { type: 'run.ended' }> {
  return { ...endedWith('success'), turns: Object.values(review).flat().length };
}

/** The last record of a run. */
export function endedWith(status: 'success' | 'cancelled'): Extract<EventBody, { type: 'run.ended' }> {
  return {
    type: 'run.ended',
    status,
    outcome: status === 'success' ? 'clean' : null,
    reasons: [],
    result: null,
    errors: [],
    duration_ms: 0,
    turns: 0,
  };
}

export function callsIn(callLog: string): readonly string[] {
  return existsSync(callLog) ? readFileSync(callLog, 'utf8').split('\n').slice(0, -1) : [];
}

async function reviewChunk(context: RunContext, chunk: string, callLog: string): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  while (turns.at(-1)?.kind !== 'answered') {
    turns.push(await askChunk(context, chunk, turns.length + 1, callLog));
  }
  return turns;
}

async function call(
  attempt: StepAttempt,
  chunk: string,
  number: number,
  callLog: string,
): Promise<StepResult<Turn>> {
  const turn = script[chunk]?.[number - 1] ?? { kind: 'empty' };
  const exchange = { exchangeId: chunk };
  const block_id = `${chunk}-${number}-${attempt.number}`;
  attempt.emit(
    { type: 'exchange.sent', tag: '[REQUEST:REVIEW]', attempt: number, prompt_bytes: 1, prompt_ref: 'x' },
    exchange,
  );
  await attempt.bind(`session-of-${block_id}`);
  appendFileSync(callLog, `${chunk}/attempt-${number}\n`);
  attempt.emit({ type: 'turn.started' }, exchange);
  attempt.emit(toolCall(block_id), exchange);
  attempt.emit({ type: 'text.start', block_id, follow_up: false }, exchange);
  attempt.emit({ type: 'text.delta', block_id, text: 'partial ' }, exchange);
  await new Promise<void>((resolve, reject) => {
    attempt.signal.addEventListener('abort', () => reject(new Error('aborted')));
    setImmediate(resolve);
  });
  attempt.emit({ type: 'text.delta', block_id, text: 'answer' }, exchange);
  attempt.emit({ type: 'text.end', block_id, text: 'partial answer' }, exchange);
  for (const event of lastEvents(turn, number)) attempt.emit(event, exchange);
  return { value: turn };
}

function toolCall(call_id: string): EventBody {
  return {
    type: 'tool.call',
    call_id,
    name: 'Bash',
    display_name: 'Bash',
    args: { command: 'ls' },
    summary: 'ls',
    trigger: 'agent',
  };
}

function lastEvents(turn: Turn, number: number): readonly EventBody[] {
  if (turn.kind !== 'answered') {
    return [{ type: 'exchange.rejected', reason: turn.kind, detail: '', action: 'waiting' }];
  }
  return [
    { type: 'exchange.received', tag: '[RESPONSE:REVIEW]', sections: {}, issues: 0 },
    { type: 'exchange.ended', outcome: 'settled', attempts: number },
  ];
}
