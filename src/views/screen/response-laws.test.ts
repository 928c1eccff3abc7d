import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { disorderlyStreams } from '../../../test/fixtures/screens/disorderly-streams.ts';
import { arbitraryRun } from '../../events/arbitrary-events.test-helper.ts';
import { assertSameHoweverCut, assertSameReplayed } from '../projection-laws.test-helper.ts';
import { createResponseProjection } from './response-projection.ts';
import { projectToResponses } from './response-projection.test-helper.ts';
import type { Response } from './response.ts';

const eventStreams = fc.oneof(disorderlyStreams, arbitraryRun());

test('R000-8 keeps the grammar for every stream of events', () => {
  fc.assert(
    fc.property(eventStreams, (events) => {
      expect(sentence(projectToResponses(events))).toMatch(/^I(?:M|E|U|(?:U<(\w+)>R<\1>))*S$/);
    }),
  );
});

test('R000-1.2 every response has a text and the type of its text', () => {
  fc.assert(
    fc.property(eventStreams, (events) => {
      for (const { content, content_type: type } of projectToResponses(events)) {
        expect([typeof content, ['text', 'markdown'].includes(type)]).toEqual(['string', true]);
      }
    }),
  );
});

test('XB-6.1 responds to events one by one as to all of them at once, however they are cut', () => {
  expect(() => assertSameHoweverCut(eventStreams, () => createResponseProjection())).not.toThrow();
});

test('XB-6.2 gives the same responses again when the journal is replayed from its text', () => {
  expect(() => assertSameReplayed(eventStreams, () => createResponseProjection())).not.toThrow();
});

test('no text is lost or repeated, whichever agents write at the same time', () => {
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
