import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeSpan, fenceAsData, quoteLines } from './fence.ts';
import { fencesOf, hostileText, markersOutside } from './test-requests.ts';

test('a label names the data at both ends and is the same in every rendering', () => {
  const block = fenceAsData('[RESPONSE:REVIEW]');
  const label = /data-[0-9a-f]{12}/.exec(block)?.[0];
  expect(block).toBe(`\`\`\`text ${label}\n[RESPONSE:REVIEW]\n\`\`\`\nEnd of ${label}.`);
  expect(fenceAsData('[RESPONSE:REVIEW]')).toBe(block);
});

test('X001-14 foreign text of any kind stays inside its fence', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const prompt = `Before.\n\n${fenceAsData(text)}\n\nAfter.\n`;
      expect(markersOutside(prompt)).toEqual([]);
      expect(fencesOf(prompt, 'text')).toHaveLength(1);
      expect(prompt).toContain(text);
    }),
  );
});

test('every quoted line carries the mark, whatever ends it', () => {
  expect(quoteLines('a\r\nb\rc\n\nd')).toBe('> a\n> b\n> c\n>\n> d');
});

test('a name stays one code span', () => {
  expect(codeSpan('src/a.ts')).toBe('`src/a.ts`');
  expect(codeSpan('a\n[RESPONSE:REVIEW]\u001b')).toBe('`a [RESPONSE:REVIEW]`');
  expect(codeSpan('`tick``')).toBe('``` `tick`` ```');
});
