/** Journals of imagined runs that keep all laws, for property tests; `fc.sample(arbitraryRun(), 3)` shows some. */
import fc from 'fast-check';
import { requestTags, answerTags } from '../tags/tags.ts';
import type { CollabEvent, EventBody } from './collab-event.ts';
import { journalRecords } from './journal-record.test-helper.ts';

/** One run from `run.started` to `run.ended`, parts of up to three exchanges interleaved. */
export function arbitraryRun(): fc.Arbitrary<readonly CollabEvent[]> {
  return fc
    .tuple(fc.array(arbitraryExchange(), { maxLength: 3 }), fc.infiniteStream(fc.nat(2)))
    .map(([exchanges, turns]) =>
      numbered([{ body: started }, ...interleave(name(exchanges), turns), { body: ended }]),
    );
}

/** A run that was killed somewhere: any beginning of a whole one. */
export function arbitraryUnfinishedRun(): fc.Arbitrary<readonly CollabEvent[]> {
  return fc.tuple(arbitraryRun(), fc.nat()).map(([run, cut]) => run.slice(0, 1 + (cut % run.length)));
}

interface Part {
  readonly body: EventBody;
  readonly exchange_id?: string;
  readonly step?: string;
}

type Named = (exchange: string) => readonly Part[];

function arbitraryExchange(): fc.Arbitrary<Named> {
  return fc
    .tuple(fc.array(arbitraryTurn(), { minLength: 1, maxLength: 3 }), fc.nat(3))
    .map(([turns, request]) => (exchange) => [
      ...turns.flatMap((turn, index) => turn(exchange, index + 1, index === turns.length - 1, request)),
      part(exchange, { type: 'exchange.ended', outcome: 'settled', attempts: turns.length }),
    ]);
}

type NamedTurn = (exchange: string, attempt: number, last: boolean, request: number) => readonly Part[];

function arbitraryTurn(): fc.Arbitrary<NamedTurn> {
  return fc
    .record({
      texts: fc.array(arbitraryDeltas(), { maxLength: 2 }),
      tool: fc.boolean(),
      agent: fc.boolean(),
      lost: fc.boolean(),
    })
    .map((shape) => (exchange, attempt, last, request) => {
      const whole = turnParts(shape, exchange, attempt, last, request);
      if (!shape.lost) return whole;
      const step = stepOf(exchange, attempt);
      return [
        ...whole.slice(0, Math.ceil(whole.length / 2)).filter(({ body }) => body.type !== 'step.ended'),
        { body: { type: 'step.abandoned', step, attempt: 1 }, step },
        ...whole,
      ];
    });
}

interface TurnShape {
  readonly texts: readonly (readonly string[])[];
  readonly tool: boolean;
  readonly agent: boolean;
}

function turnParts(
  shape: TurnShape,
  exchange: string,
  attempt: number,
  last: boolean,
  request: number,
): readonly Part[] {
  const step = stepOf(exchange, attempt);
  const inStep = (body: EventBody): Part => part(exchange, body, step);
  const tag = requestTags[request] ?? requestTags[0];
  const answerTag = answerTags[request] ?? answerTags[0];
  return [
    inStep({ type: 'step.begun', step, attempt: 1, input_digest: 'digest' }),
    inStep({ type: 'exchange.sent', tag, attempt, prompt_bytes: 1, prompt_ref: step }),
    inStep({ type: 'turn.started' }),
    ...(shape.agent ? agentParts(`${step}/sub`, shape.tool).map(inStep) : []),
    ...shape.texts.flatMap((deltas, block) => textParts(`${step}/${block}`, deltas).map(inStep)),
    inStep({ type: 'turn.ended', stop_reason: null, usage: null }),
    inStep(
      last
        ? { type: 'exchange.received', tag: answerTag, sections: {} }
        : { type: 'exchange.rejected', reason: 'empty', detail: '', action: 'repairing' },
    ),
    inStep({ type: 'step.ended', step, attempt: 1, value: null }),
  ];
}

function agentParts(agent_id: string, tool: boolean): readonly EventBody[] {
  const call_id = `${agent_id}/call`;
  const call: readonly EventBody[] = [
    {
      type: 'tool.call',
      call_id,
      name: 'Bash',
      display_name: 'Bash',
      args: {},
      summary: '',
      trigger: 'agent',
    },
    { type: 'tool.result', call_id, name: 'Bash', content: '', is_error: false, duration_ms: 1 },
  ];
  return [
    { type: 'agent.started', agent_id, agent_type: 'Explore', description: '' },
    ...(tool ? call : []),
    { type: 'agent.ended', agent_id, status: 'completed' },
  ];
}

function textParts(block_id: string, deltas: readonly string[]): readonly EventBody[] {
  return [
    { type: 'text.start', block_id, follow_up: false },
    ...deltas.map((text): EventBody => ({ type: 'text.delta', block_id, text })),
    { type: 'text.end', block_id, text: deltas.join('') },
  ];
}

function arbitraryDeltas(): fc.Arbitrary<readonly string[]> {
  return fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 4 });
}

function name(exchanges: readonly Named[]): readonly (readonly Part[])[] {
  return exchanges.map((exchange, index) => exchange(`exchange-${index + 1}`));
}

/** Takes the next part of the exchange that the stream of numbers selects, until all parts are sent. */
function interleave(exchanges: readonly (readonly Part[])[], turns: Iterator<number>): readonly Part[] {
  const queues = exchanges.map((parts) => [...parts]);
  const told: Part[] = [];
  while (queues.some((queue) => queue.length > 0)) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const next = waiting[Number(turns.next().value) % waiting.length]?.shift();
    if (next !== undefined) told.push(next);
  }
  return told;
}

function numbered(parts: readonly Part[]): readonly CollabEvent[] {
  return journalRecords(parts.map(({ body, ...place }) => ({ ...place, ...body })));
}

function part(exchange_id: string, body: EventBody, step?: string): Part {
  return step === undefined ? { body, exchange_id } : { body, exchange_id, step };
}

function stepOf(exchange: string, attempt: number): string {
  return `${exchange}/attempt-${attempt}`;
}

const started: EventBody = { type: 'run.started', name: 'collab', tools: [], cwd: '/repository' };

const ended: EventBody = {
  type: 'run.ended',
  status: 'success',
  outcome: 'clean',
  reasons: [],
  result: null,
  errors: [],
  duration_ms: 1,
  turns: 1,
};
