import { expect, test } from 'vitest';
import { createFrameReader, numberOf } from './read-frames.ts';

/** After the examples of WHATWG's section on event streams, and its rules for odd lines. */
test.each([
  ['a comment and an unknown field mean nothing', ': hi\nfoo: bar\ndata: a\n\n', ['message null a']],
  [
    'one blank after the colon goes, a second stays',
    'data:a\n\ndata: a\n\ndata:  a\n\n',
    ['message null a', 'message null a', 'message null  a'],
  ],
  ['a field without a colon is empty', 'data\n\ndata\ndata\n\n', ['message null ', 'message null \n']],
  ['an event without data is none', 'event: title\nid: 1\n\ndata: a\n\n', ['message null a']],
  ['an id with NUL means nothing', 'id: a\u0000b\ndata: a\n\n', ['message null a']],
  ['a name counts for one event', 'event: title\ndata: a\n\ndata: b\n\n', ['title null a', 'message null b']],
  ['what ends without a blank line is dropped', 'data: a\n\nid: 2\ndata: b\n', ['message null a']],
  ['lines may end in CR alone', 'event: title\rdata: a\r\rdata: b\r\r', ['title null a', 'message null b']],
  ['a colon in the data stays', 'id: run:1\ndata: a: b\n\n', ['message run:1 a: b']],
])('X002-33.3-5 %s', (_, text, frames) => {
  const read = createFrameReader().feed(new TextEncoder().encode(text));
  expect(read.map(({ event, id, data }) => `${event} ${id} ${data}`)).toEqual(frames);
});

test.each([
  ['3000', 3000],
  ['soon', null],
])('X002-D2.4 retry: %s', (value, ms) => {
  const reader = createFrameReader();
  reader.feed(new TextEncoder().encode(`retry: ${value}\n\n`));
  expect(reader.retryMs()).toBe(ms);
});

test.each([
  ['7', 7],
  ['run-1:12345', 12_345],
  ['run:2:7', 7],
  ['run-7', null],
  ['run:', null],
  ['7:run', null],
  ['1234567890123456', null],
  ['', null],
  [null, null],
])('the number in the id %j is %j', (id, number) => {
  expect(numberOf({ event: 'message', data: '', id })).toBe(number);
});
