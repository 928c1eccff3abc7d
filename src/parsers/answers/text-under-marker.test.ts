import { expect, test } from 'vitest';
import { findMarkers } from '../markdown/find-markers.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { textUnderMarker } from './text-under-marker.ts';

const tag = '[CONSULT:DESIGN]';

function under(text: string, lastLine = Infinity): string | undefined {
  const document = parseMarkdown(text);
  const [marker] = findMarkers(document).counted;
  return marker && textUnderMarker(document, marker, lastLine);
}

test.each([
  [tag, ''],
  [`${tag}\n\n \n`, ''],
  [`${tag}:`, ''],
  [`${tag}: behind`, 'behind'],
  [`${tag}: behind\n\n`, 'behind'],
  [`${tag}\nbelow\n\nmore\n\n`, 'below\n\nmore'],
  [`${tag}:\n\nbelow`, 'below'],
  [`${tag}: behind\nbelow`, 'behind\nbelow'],
  [`${tag}: behind\n\nbelow`, 'behind\n\nbelow'],
  [`${tag}: behind\n\n\n\nbelow`, 'behind\n\nbelow'],
  [`${tag}\n===\nbelow`, 'below'],
  [`**${tag}**: behind\n===\nbelow`, 'behind\nbelow'],
])('under the marker of %j stands %j', (text, expected) => {
  expect(under(text)).toBe(expected);
});

test('nothing after the last line belongs to it', () => {
  expect(under(`above\n\n${tag}: behind\nfirst\nsecond\nthird`, 5)).toBe('behind\nfirst\nsecond');
});
