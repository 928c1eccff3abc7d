import { describe, expect, test } from 'vitest';
import { advisor, eventStream, type Occurrence } from '../../../test/fixtures/screens/event-streams.ts';
import type { EventBody } from '../../events/collab-event.ts';
import { heartbeatMs } from './heartbeat.ts';
import { createReviewProgress } from './progress.ts';

const planned: EventBody = {
  type: 'review.planned',
  files: 6,
  lines: 1204,
  skipped: [{ path: 'package-lock.json', reason: 'lock file' }],
  chunks: [
    { name: 'chunk-1', paths: ['src/cart.ts'], estimated_tokens: 900 },
    {
      name: 'chunk-2',
      paths: ['src/api/a.ts', 'src/api/b.ts', 'src/api/v1/c.ts'],
      estimated_tokens: 2100,
      lines: 412,
    },
    { name: 'chunk-10', paths: ['a.ts', 'src/b.ts'], estimated_tokens: 1 },
  ],
};

function inChunk(chunk: string, body: EventBody, atMs = 0): Occurrence {
  return { body, agent: advisor, exchangeId: `ex_${chunk}`, atMs };
}
function sent(chunk: string, attempt = 1, atMs = 0): Occurrence {
  return inChunk(
    chunk,
    { type: 'exchange.sent', tag: '[REQUEST:REVIEW]', attempt, prompt_bytes: 1, prompt_ref: 'x' },
    atMs,
  );
}
function received(chunk: string, issues: number): Occurrence {
  return inChunk(chunk, { type: 'exchange.received', tag: '[RESPONSE:REVIEW]', sections: {}, issues });
}
function settled(chunk: string, atMs: number): Occurrence {
  return inChunk(chunk, { type: 'exchange.ended', outcome: 'settled', attempts: 1 }, atMs);
}

function linesOf(occurrences: readonly (EventBody | Occurrence)[]): readonly string[] {
  const progress = createReviewProgress();
  return eventStream(occurrences).flatMap((event) => progress.push(event));
}

describe('the lines of a review', () => {
  test('list the reviewed and the skipped files, with reasons', () => {
    expect(linesOf([planned])).toEqual([
      'skipped package-lock.json: lock file',
      'reviewing 5 files, 1,204 lines in 3 chunks',
    ]);
  });

  test('count skipped files if there are many', () => {
    const skipped = Array.from({ length: 13 }, (_, index) => ({
      path: `vendor/${index}.js`,
      reason: index === 0 ? 'binary' : 'vendored',
    }));
    expect(linesOf([{ ...planned, files: 18, skipped }])).toEqual([
      'skipped 1 file: binary',
      'skipped 12 files: vendored',
      'reviewing 5 files, 1,204 lines in 3 chunks',
    ]);
  });

  test('have one line per chunk: place, size, time and findings', () => {
    expect(
      linesOf([
        planned,
        sent('chunk-1'),
        sent('chunk-2'),
        sent('chunk-10'),
        received('chunk-2', 2),
        settled('chunk-2', 41_000),
        received('chunk-1', 1),
        settled('chunk-1', 80_000),
        settled('chunk-10', 500),
      ]).slice(2),
    ).toEqual([
      'chunk 2/3 src/api (3 files, 412 lines) … settled in 41 s, 2 findings',
      'chunk 1/3 src/cart.ts (1 file, about 900 tokens) … settled in 1 min 20 s, 1 finding',
      'chunk 3/3 (2 files, about 1 token) … settled in 0.5 s',
    ]);
  });

  test.each([
    ['completing', 'incomplete', 'missing: SUGGESTIONS', 'asked again: SUGGESTIONS was missing'],
    [
      'completing',
      'incomplete',
      'missing: ISSUES, SUGGESTIONS',
      'asked again: ISSUES, SUGGESTIONS were missing',
    ],
    ['repairing', 'marker_absent', 'no marker line', 'asked again: no marker line'],
    ['recontextualising', 'irrelevant', 'off topic', 'asked again with the context: off topic'],
    ['shortening', 'timed_out', 'idle limit', 'asked again, shorter: idle limit'],
    ['waiting', 'overloaded', '503', 'waiting before another attempt: 503'],
  ] as const)('tell of %s after %s', (action, reason, detail, line) => {
    const rejected: EventBody = { type: 'exchange.rejected', reason, detail, action };
    expect(linesOf([planned, sent('chunk-1'), inChunk('chunk-1', rejected)]).slice(2)).toEqual([
      `chunk 1/3 src/cart.ts (1 file, about 900 tokens): ${line}`,
    ]);
  });

  test('report a chunk that did not settle, and its unreviewed files', () => {
    const rejected: EventBody = {
      type: 'exchange.rejected',
      reason: 'marker_absent',
      detail: 'no marker line',
      action: 'exhausted',
    };
    expect(
      linesOf([
        planned,
        sent('chunk-1'),
        inChunk('chunk-1', rejected),
        inChunk('chunk-1', { type: 'exchange.ended', outcome: 'exhausted', attempts: 3 }, 9000),
        sent('chunk-2'),
        inChunk('chunk-2', { type: 'exchange.ended', outcome: 'unavailable', attempts: 1 }, 2000),
        { type: 'coverage', path: 'src/cart.ts', status: 'failed', reason: 'no whole answer' },
      ]).slice(2),
    ).toEqual([
      'chunk 1/3 src/cart.ts (1 file, about 900 tokens) … not settled: given up after 3 attempts and 9 s',
      'chunk 2/3 src/api (3 files, 412 lines) … not settled: the advisor could not answer (1 attempt, 2 s)',
      'not reviewed src/cart.ts: no whole answer',
    ]);
  });

  test('report what the advisor asked, and why it was declined', () => {
    expect(
      linesOf([
        planned,
        inChunk('chunk-1', {
          type: 'exchange.asked_back',
          tag: '[CONSULT:CLAUDE:CONTEXT]',
          text: 'Who\ncalls it?',
        }),
        inChunk('chunk-1', { type: 'exchange.answered_back', by: 'policy', declined: 'no lead', text: '' }),
      ]).slice(2),
    ).toEqual([
      'chunk 1/3 src/cart.ts (1 file, about 900 tokens): asked back: Who calls it?',
      'chunk 1/3 src/cart.ts (1 file, about 900 tokens): its question was declined: no lead',
    ]);
  });

  test('X000-6.2 hold no escape of a foreign path', () => {
    const skipped = [{ path: 'a\u001b[2J\nb', reason: 'binary' }];
    expect(linesOf([{ ...planned, skipped }])[0]).toBe('skipped a␛[2J b: binary');
  });
});

describe('the heartbeat', () => {
  test('appears after thirty seconds without a line, and again after thirty more', () => {
    const progress = createReviewProgress();
    const events = eventStream([
      { body: planned, atMs: 0 },
      sent('chunk-1'),
      sent('chunk-2'),
      sent('chunk-10'),
      settled('chunk-10', 0),
    ]);
    for (const event of events) progress.push(event);
    const begin = Date.parse(events[0]?.ts ?? '');
    expect(
      [1000, heartbeatMs, heartbeatMs + 1, 2 * heartbeatMs + 5000].map((ms) =>
        progress.heartbeat(begin + ms),
      ),
    ).toEqual([
      null,
      'still reviewing: 1 of 3 chunks settled, 2 exchanges open, 30 s so far',
      null,
      'still reviewing: 1 of 3 chunks settled, 2 exchanges open, 1 min 5 s so far',
    ]);
  });

  test('names the current phase of a run of phases', () => {
    const progress = createReviewProgress();
    const [begun] = eventStream([{ type: 'phase.started', phase: 'design', round: 1 }]);
    if (begun === undefined) throw new Error('no event');
    progress.push(begun);
    expect(progress.heartbeat(Date.parse(begun.ts) + heartbeatMs)).toBe(
      'still working on the design: 0 exchanges open, 30 s so far',
    );
  });

  test('is silent before anything has started', () => {
    expect(createReviewProgress().heartbeat(1e12)).toBe(null);
  });
});

test('a run of phases reports its phases, consults, answers, and the chunks of its reviews', () => {
  const small = {
    ...planned,
    files: 1,
    skipped: [],
    chunks: [{ name: 'chunk-1', paths: ['src/cart.ts'], estimated_tokens: 9, lines: 3 }],
  };
  expect(
    linesOf([
      { type: 'phase.started', phase: 'design', round: 1 },
      sent('design-1-consult-1'),
      settled('design-1-consult-1', 1000),
      { type: 'question.answered', name: 'design/1/gate', by: 'policy', value: 'approve' },
      { type: 'phase.ended', phase: 'design', round: 1, result: 'settled' },
      { type: 'phase.started', phase: 'review', round: 2 },
      small,
      sent('review-2-chunk-1'),
      settled('review-2-chunk-1', 2000),
    ]),
  ).toEqual([
    'design begins',
    'design: consult 1 … settled in 1 s',
    'answered by --yes: approve',
    'design: settled',
    'review, round 2 begins',
    'reviewing 1 file, 1,204 lines in 1 chunk',
    'chunk 1/1 src/cart.ts (1 file, 3 lines) … settled in 2 s',
  ]);
});

test('a verdict of the lead is one line', () => {
  const judged = { type: 'finding.judged', evidence: 'so' } as const;
  const lines = linesOf([
    { ...judged, id: 'F1', verdict: 'rejected' },
    { ...judged, id: 'F2', verdict: 'unverified' },
    { ...judged, id: 'F3', verdict: 'confirmed', cached: { run_id: 'r-0', answered_at: '' } },
    { ...judged, id: 'F4', verdict: 'disputed', cache_fault: 'the cached answer cannot be read' },
  ]);
  expect(lines).toEqual([
    'F1: rejected by the lead',
    'F2: not verified by the lead',
    'F3: confirmed by the lead, from the cache, as in run r-0',
    'F4: disputed by the lead (the cached answer cannot be read; it was asked again)',
  ]);
});

test('a deep review names the lens of an exchange, and the pass for what was missed', () => {
  const lines = linesOf([
    { ...planned, lenses: ['security', 'data'] },
    settled('chunk-1-security', 1000),
    settled('chunk-2-missed-1', 2000),
  ]);
  expect(lines.slice(1).map((line) => line.replace(/ … .*/, ''))).toEqual([
    'reviewing 5 files, 1,204 lines in 3 chunks, each for security, data',
    expect.stringMatching(/^chunk 1\/3 src\/cart\.ts \(.*\), security$/),
    expect.stringMatching(/^chunk 2\/3 src\/api \(.*\), missed 1$/),
  ]);
});
