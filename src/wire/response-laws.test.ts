import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  advisor,
  answered,
  called,
  ended,
  eventStream,
  lead,
  started,
  startedUnbound,
  used,
  type Occurrence,
} from '../../test/fixtures/screens/event-streams.ts';
import { arbitraryRun } from '../events/arbitrary-events.test-helper.ts';
import type { CollabEvent, EventBody } from '../events/collab-event.ts';
import { createResponseProjection, projectToResponses } from './response-projection.ts';
import type { Response } from './response.ts';

const callIds = fc.constantFrom('c1', 'c2', 'c3');
const tools = fc.constantFrom('1', '2', '3');
const blockIds = fc.constantFrom('b1', 'b2');
const anyBody: fc.Arbitrary<EventBody> = fc.oneof(
  fc.record({
    type: fc.constant('text.delta' as const),
    block_id: blockIds,
    text: fc.stringMatching(/^[a-z \n]{0,6}$/),
  }),
  fc.record({ type: fc.constant('text.start' as const), block_id: blockIds, follow_up: fc.boolean() }),
  fc.record({ type: fc.constant('text.end' as const), block_id: blockIds, text: fc.constant('') }),
  fc.tuple(callIds, tools).map(([id, tool]) => called(id, tool, { path: id })),
  fc.tuple(callIds, tools, fc.boolean()).map(([id, tool, failed]) => answered(id, tool, 'out', failed)),
  fc.constant<EventBody>({ type: 'error', kind: 'network', message: 'reset', retryable: true }),
  fc.constant<EventBody>({ type: 'step.abandoned', step: 's', attempt: 1 }),
  fc.constant<EventBody>({ type: 'turn.ended', stop_reason: null, usage: null }),
  fc.constant<EventBody>({ type: 'session.bound', provider_session_id: 's1', resumable: true }),
  fc.constant<EventBody>(used(1, 2, 0.25)),
);
const anyOccurrence: fc.Arbitrary<Occurrence> = fc.record({
  body: anyBody,
  agent: fc.constantFrom(lead, advisor),
  exchangeId: fc.constantFrom('e1', 'e2'),
});
const disorderlyStreams = fc
  .tuple(fc.array(anyOccurrence, { maxLength: 40 }), fc.boolean(), fc.boolean())
  .map(([middle, isNamed, isEnded]) =>
    eventStream([isNamed ? started() : startedUnbound(), ...middle, ...(isEnded ? [ended()] : [])]),
  );

const eventStreams = fc.oneof(disorderlyStreams, arbitraryRun());

test('R000-8 keeps the grammar for every stream of events', () => {
  fc.assert(
    fc.property(eventStreams, (events) => {
      expect(sentence(projectToResponses(events))).toMatch(/^I(?:M|E|U|(?:U<(\w+)>R<\1>))*S$/);
    }),
  );
});

test('XB-6 responds to events one by one as to all of them at once, however they are cut', () => {
  fc.assert(
    fc.property(eventStreams, fc.nat(), (events, cut) => {
      const projection = createResponseProjection();
      const middle = cut % (events.length + 1);
      const first = events.slice(0, middle).flatMap((event) => projection.push(event));
      const second = events.slice(middle).flatMap((event) => projection.push(event));
      expect([...first, ...second, ...projection.end()]).toEqual(projectToResponses(events));
    }),
  );
});

test('XB-6 gives the same responses again when the journal is replayed from its text', () => {
  fc.assert(
    fc.property(eventStreams, (events) => {
      const replayed = events.map((event): CollabEvent => JSON.parse(JSON.stringify(event)));
      expect(projectToResponses(replayed)).toEqual(projectToResponses(events));
    }),
  );
});

test('no text is lost or doubled, whoever speaks at the same time', () => {
  fc.assert(
    fc.property(disorderlyStreams, (events) => {
      const spoken = events.map((event) => (event.type === 'text.delta' ? event.text : '')).join('');
      const shown = projectToResponses(events)
        .map((response) => (response.type === 'message' ? response.content : ''))
        .join('');
      expect(letters(shown)).toEqual(letters(spoken));
    }),
  );
});

function letters(text: string): string {
  return text.replace(/\s/g, '').split('').toSorted().join('');
}

/** One letter a response; a pair of use and result carries the number of its tool. */
function sentence(responses: readonly Response[]): string {
  return responses
    .map((response, index) => {
      if (response.type === 'tool_use') {
        return responses[index + 1]?.type === 'tool_result' ? `U<${response.tool}>` : 'U';
      }
      if (response.type === 'tool_result') return `R<${response.tool}>`;
      return { init: 'I', message: 'M', error: 'E', result: 'S' }[response.type];
    })
    .join('');
}
