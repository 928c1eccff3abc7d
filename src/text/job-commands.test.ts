import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { breakJobCommands, createJobCommandBreaker } from './job-commands.ts';

test.each([
  ['::error::x', ': :error::x'],
  ['a\n \t::error::x', 'a\n \t: :error::x'],
  ['a ::error', 'a ::error'],
  [':::', ': ::'],
  ['std::string', 'std::string'],
  ['x ##[add-path]y', 'x ## [add-path]y'],
  ['##vso[a] ##TeamCity[b', '##vso [a] ##TeamCity [b'],
  ['## [a] # ##', '## [a] # ##'],
])('%j becomes %j', (text, broken) => {
  expect(breakJobCommands(text)).toBe(broken);
});

const parts = fc.array(
  fc.constantFrom(':', '::', 'error', ' ', '\t', '\n', '\r\n', '#', '##', '[', 'vso', 'teamcity', 'x'),
  { maxLength: 12 },
);

test('no command is left, only spaces are added, and the place of a cut does not matter', () => {
  fc.assert(
    fc.property(parts, (pieces) => {
      const text = pieces.join('');
      const whole = breakJobCommands(text);
      expect(whole).not.toMatch(/^\s*::|##\[|##vso\[|##teamcity\[/im);
      expect(whole.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      expect(pieces.map(createJobCommandBreaker()).join('')).toBe(whole);
    }),
  );
});

test.each(Array.from('##teamcity[', (_, index) => index))(
  'a mark that is cut after %i characters is broken',
  (cut) => {
    const broken = createJobCommandBreaker();
    expect(broken('##teamcity['.slice(0, cut)) + broken('##teamcity['.slice(cut))).toBe('##teamcity [');
  },
);
