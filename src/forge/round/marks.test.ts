import { expect, test } from 'vitest';
import { z } from 'zod';
import { createMarks, fixedMark, roundMark } from './marks.ts';

const secret = Buffer.from('a long random word');
const marks = createMarks({ scope: 'shop/till#7', secret });
const state = {
  round: 2,
  head: 'abc',
  lines: null,
  gone: ['--> <b> @all'],
  fixed: [],
  next: 3,
  numbers: [],
  dismissed: [],
};

test('a mark is read back from one of the first two lines, and is one inert line', () => {
  const written = marks.write(roundMark, state);
  expect(written).toMatch(/^<!-- collab:round [\w+/=]+ [0-9a-f]{64} -->$/);
  expect(marks.read(roundMark, `<!-- collab:review -->\r\n${written}\r\n\ntext`)).toEqual(state);
  expect(marks.read(roundMark, `one\ntwo\n${written}`)).toBeNull();
  expect(marks.read(fixedMark, written)).toBeNull();
});

test('a state of an earlier version, with a number of fixed findings or without one, is read', () => {
  const { fixed: _, ...without } = state;
  for (const earlier of [without, { ...without, fixed: 2 }])
    expect(marks.read(roundMark, marks.write({ name: 'round', schema: z.unknown() }, earlier))).toEqual(
      state,
    );
});

test.each([
  ['another pull request', createMarks({ scope: 'shop/till#8', secret })],
  ['another secret', createMarks({ scope: 'shop/till#7', secret: Buffer.from('another') })],
  ['no secret', createMarks({ scope: 'shop/till#7', secret: null })],
])('a mark of %s is not read', (_, other) => {
  expect(marks.read(roundMark, other.write(roundMark, state))).toBeNull();
});

test.each(['<!-- collab:round e30= - -->', '<!-- collab:round !!! - -->', '<!-- collab:round  - -->', ''])(
  'a damaged mark is none: %s',
  (line) => {
    expect(createMarks({ scope: '', secret: null }).read(roundMark, line)).toBeNull();
  },
);
