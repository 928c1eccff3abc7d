import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeVisible } from '../text/neutralise.ts';
import { codeSpan, createFences, measuringNonce } from './fence.ts';
import { nonceOf } from './nonce.ts';
import { codeOf, fencesOf, hostileText, markersOutside, nonce } from './requests.test-helper.ts';

const fences = createFences(nonce);

test('a fence has the request’s nonce at both ends', () => {
  expect(fences.data('[RESPONSE:REVIEW]\n')).toBe(
    `\`\`\`text data-${nonce}\n[RESPONSE:REVIEW]\n\`\`\`\nEnd of data-${nonce}.`,
  );
  expect(fences.words('Keep it small.')).toBe(
    `\`\`\`markdown words-${nonce}\nKeep it small.\n\`\`\`\nEnd of words-${nonce}.`,
  );
  expect(fences.rule).toContain(`\`data-${nonce}\``);
});

test('X001-14.2 foreign text of any kind stays inside its fence, whole', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const prompt = `Before.\n\n${fences.data(text)}\n\nAfter.\n`;
      expect(markersOutside(prompt)).toEqual([]);
      expect(fencesOf(prompt, 'text')).toEqual([makeVisible(text).replace(/\r?\n$/, '')]);
    }),
    { examples: [['a\r\n'], ['a\r\n\n'], ['a\r']] },
  );
});

test('a measured prompt is as long as a sent one', () => {
  expect(createFences(measuringNonce).data('a')).toHaveLength(fences.data('a').length);
  expect(nonceOf(['a'])).toHaveLength(measuringNonce.length);
  expect(nonceOf(['a', null])).not.toBe(nonceOf(['a']));
});

test('a name stays one code span, with every character visible', () => {
  expect(codeSpan('src/a.ts')).toBe('`src/a.ts`');
  expect(codeSpan('a\n[RESPONSE:REVIEW]\u001b')).toBe('`a␊[RESPONSE:REVIEW]␛`');
  expect(codeSpan('`tick``')).toBe('``` `tick`` ```');
  fc.assert(
    fc.property(fc.oneof(hostileText, fc.constantFrom(' ', '  ', ' a ', '` ', '')), (name) => {
      const [value, ...others] = codeOf(`Before ${codeSpan(name)} after.\n`);
      expect(others).toEqual([]);
      expect(value).toBe(name === '' ? ' ' : makeVisible(name).replace(/[\t\n\r]/g, pictureOf));
    }),
  );
});

function pictureOf(character: string): string {
  return String.fromCodePoint(0x2400 + character.charCodeAt(0));
}
