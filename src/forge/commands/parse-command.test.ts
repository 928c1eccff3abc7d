import { expect, test } from 'vitest';
import { parsePullCommand } from './parse-command.ts';

test.each([
  ['/collab review', { kind: 'review' }],
  ['/collab review  \r\nplease', { kind: 'review' }],
  ['/collab dismiss 2 the bank rounds', { kind: 'dismiss', number: 2, reason: 'the bank rounds' }],
  ['/collab dismiss F12 `x` <b>\n/collab review', { kind: 'dismiss', number: 12, reason: '`x` <b>' }],
  ['/collab fix 3', { kind: 'fix', number: 3 }],
  ['/collab fix F3 \nnow', { kind: 'fix', number: 3 }],
])('%j is a command', (body, expected) => {
  expect(parsePullCommand(body)).toEqual(expected);
});

test.each([
  '/collab',
  '/collab help',
  '/collab review now',
  '/collab  review',
  '/collab Review',
  '/collab dismiss 2',
  '/collab dismiss 2 ',
  '/collab fix',
  '/collab fix 1 2',
  '/collab fix all',
  '/collab dismiss 0 why',
  '/collab dismiss -1 why',
  '/collab dismiss 1234567890 why',
  '/collab dismiss two why',
  '/collab\treview',
])('%j gets an answer with the forms', (body) => {
  expect(parsePullCommand(body)).toEqual({ kind: 'unknown' });
});

test.each([
  '',
  'LGTM',
  ' /collab review',
  '\n/collab review',
  '> /collab review',
  '`/collab review`',
  '/collaborate',
  '/collab-review',
  '/COLLAB review',
  '\u200b/collab review',
  '<!-- collab:answer e30= - -->\n/collab review',
  '```\n/collab review\n```',
])('%j is not for us', (body) => {
  expect(parsePullCommand(body)).toBeNull();
});
