import { expect, test } from 'vitest';
import { phases, requestTags } from '../../tags/tags.ts';
import { readLeadText, requestTagOf } from './read-lead-text.ts';

test('X001-17.1 a text that ends in the request of its phase is a consult, with what stands below the tag', () => {
  const text = 'I looked at the totals.\n\n[CONSULT:DESIGN]\nOne function.\nIs it enough?';
  expect(readLeadText(text, 'design')).toEqual({ kind: 'request', text: 'One function.\nIs it enough?' });
});

test('a tag without text below it takes the whole text', () => {
  const text = 'One function.\n\n[CONSULT:DESIGN]\n \t\n';
  expect(readLeadText(text, 'design')).toEqual({ kind: 'request', text });
});

test('X001-17.1 the request of another phase differs from that of this one', () => {
  expect(readLeadText('[REQUEST:REVIEW]\nLook at it.', 'implementation')).toEqual({
    kind: 'wrong_request',
    sent: '[REQUEST:REVIEW]',
  });
});

test.each([
  ['a fence', '```\n[CONSULT:DESIGN]\n```'],
  ['a quote', '> [CONSULT:DESIGN]'],
  ['a list', '- [CONSULT:DESIGN]'],
  ['a sentence', 'Then I would send [CONSULT:DESIGN] to the advisor.'],
  ['nothing', 'Done.'],
])('X001-14.1 a tag in %s asks for nothing', (_, text) => {
  expect(readLeadText(text, 'design')).toEqual({ kind: 'no_request' });
});

test('every phase has its own request', () => {
  expect(phases.map(requestTagOf)).toEqual(requestTags);
});
