import type { Fault } from './fixture.ts';

/** Faults that all vendors share: by status, and of a connection. */
export const commonFaults: readonly Fault[] = [
  ['400', { status: 400, message: 'bad field' }, { kind: 'unavailable', code: 'options' }],
  ['401', { status: 401 }, { kind: 'unavailable', code: 'auth' }],
  ['402', { status: 402 }, { kind: 'unavailable', code: 'quota' }],
  ['403', { status: 403 }, { kind: 'unavailable', code: 'auth' }],
  ['404', { status: 404, message: 'there is no such model' }, { kind: 'unavailable', code: 'model' }],
  ['408', { status: 408 }, { kind: 'overloaded', retryAfterMs: null }],
  ['413', { status: 413 }, { kind: 'timed_out', limit: 'context' }],
  ['422', { status: 422 }, { kind: 'unavailable', code: 'options' }],
  ['429', { status: 429 }, { kind: 'overloaded', retryAfterMs: null, rateLimited: true }],
  ['500', { status: 500 }, { kind: 'overloaded', retryAfterMs: null }],
  ['503', { status: 503 }, { kind: 'overloaded', retryAfterMs: null }],
  ['504', { status: 504 }, { kind: 'overloaded', retryAfterMs: null }],
  ['529', { status: 529 }, { kind: 'overloaded', retryAfterMs: null }],
  ['a body that is no JSON', { status: 502, body: '<html>' }, { kind: 'overloaded' }],
  ['a text cut by the end of the connection', { text: 'a long answer', cut: true }, { kind: 'cut' }],
  ['a stream that ends early', { text: 'a long answer', endEarly: true }, { kind: 'cut' }],
  [
    'an unknown error in the stream',
    { text: 'a long answer', streamError: { type: 'novel_error', message: 'what?' } },
    { kind: 'cut' },
  ],
];

/** The wait that the headers of a 429 request. */
export const retryHeaders: readonly Fault[] = [
  [
    'seconds',
    { status: 429, headers: { 'retry-after': '90' } },
    { kind: 'overloaded', retryAfterMs: 90_000 },
  ],
  [
    'milliseconds',
    { status: 429, headers: { 'retry-after-ms': '1500', 'retry-after': '2' } },
    { kind: 'overloaded', retryAfterMs: 1500 },
  ],
  [
    'a date that is over',
    { status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' } },
    { kind: 'overloaded', retryAfterMs: 0 },
  ],
];
