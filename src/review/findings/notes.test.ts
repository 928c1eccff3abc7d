import { expect, test } from 'vitest';
import { splitNotes } from './notes.ts';

test.each([
  [
    '- one\n- two\n  goes on\n\n  still two\n* three\n+ four\n• five',
    ['one', 'two\ngoes on\n\nstill two', 'three', 'four', 'five'],
  ],
  ['1. one\n2) two\n   goes on', ['one', 'two\ngoes on']],
  ['Intro:\n\n- one\n  - nested', ['Intro:', 'one\n- nested']],
  ['First\nparagraph.\n\n\nSecond.\r\n', ['First\nparagraph.', 'Second.']],
  ['-not a bullet\n--- rule', ['-not a bullet\n--- rule']],
  ['2024 was good', ['2024 was good']],
  ['', []],
  ['\n \n', []],
  ['- see\n  ```\n- not a bullet\n\n  ```\n- two', ['see\n  ```\n- not a bullet\n\n  ```', 'two']],
  ['text\n~~~\n- a\n\n```\n~~~\n\nmore', ['text\n~~~\n- a\n\n```\n~~~', 'more']],
  ['````\n```\n\n- x\n````', ['````\n```\n\n- x\n````']],
])('%j is %j', (section, notes) => {
  expect(splitNotes(section)).toEqual(notes);
});
