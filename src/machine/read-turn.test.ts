import { describe, expect, test } from 'vitest';
import { parseUnifiedDiff } from '../parsers/unified-diff.ts';
import { renderRequest } from '../prompts/render-request.ts';
import type { TurnResult } from '../providers/contract.ts';
import type { AskInput, Kept } from './exchange-types.ts';
import { defaultBudgets, nothingSpent } from './ladder.ts';
import { readTurn, type TurnOutcome, type TurnReading } from './read-turn.ts';
import { reviewRequest } from './review-request.ts';

const diff = `diff --git a/src/total.ts b/src/total.ts
--- a/src/total.ts
+++ b/src/total.ts
@@ -1,2 +1,3 @@
 export function total(items) {
+  const total = Math.round(subtotal(items));
   return total;
`;

const request = reviewRequest(
  { subject: 'a diff', focus: null, instructions: null, language: null, manifest: '' },
  parseUnifiedDiff(diff).files,
);

const issues = `### Critical
1. **Rounded too early** — \`src/total.ts:2\`
   \`\`\`
     const total = Math.round(subtotal(items));
   \`\`\`
   Why: cents get lost.
   Fix: round once.`;

const whole = `[RESPONSE:REVIEW]

## STRENGTHS
- Short.

## ISSUES
${issues}

## SUGGESTIONS
None
`;

function ask(changes: Partial<AskInput> = {}): AskInput {
  return {
    turn: 1,
    attempt: 1,
    exchange: { name: 'chunk-1', request, budgets: defaultBudgets },
    request,
    message: { kind: 'request' },
    sessionId: null,
    kept: null,
    spent: nothingSpent,
    wait: null,
    lastIrrelevance: null,
    ...changes,
  };
}

function answered(text: string): TurnResult {
  return { kind: 'answered', text, sessionId: 'thread-1', usage: null, stopReason: null };
}

const promptLength = renderRequest(request, { budgetCharacters: null }).text.length;

function read(turn: TurnOutcome, changes: Partial<AskInput> = {}): TurnReading {
  return readTurn(ask(changes), turn, promptLength);
}

/** What the rejection of a turn says; fails the test where the turn was not rejected. */
function rejectionOf({ verdict }: TurnReading) {
  if (verdict.kind !== 'rejected') throw new Error(`the turn was not rejected: ${verdict.kind}`);
  return verdict;
}

function keptAfter(text: string): Kept {
  const { kept } = rejectionOf(read(answered(text)));
  if (kept === null) throw new Error('nothing was kept');
  return kept;
}

test('R001-11 a whole review settles, with its issues read', () => {
  const { verdict, action, spent } = read(answered(whole));
  expect(action).toBe('settled');
  expect(spent).toEqual({ ...nothingSpent, attempts: 1 });
  expect(verdict).toMatchObject({
    kind: 'settled',
    issues: [{ severity: 'critical', title: 'Rounded too early' }],
    mergedFrom: [1],
  });
});

describe('R001-13 without a marker the structure is asked for', () => {
  test('naming the cause', () => {
    const reading = read(answered(`\`\`\`\n${whole}\n\`\`\``));
    expect(reading.action).toBe('repairing');
    expect(rejectionOf(reading)).toMatchObject({
      reason: 'marker_absent',
      message: { kind: 'structure', causes: ['code_fence'], note: null },
      kept: null,
    });
    expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1, repairing: 1 });
  });

  test('also where there is no answer at all', () => {
    const reading = read({ kind: 'empty', message: 'no message', sessionId: 'thread-1' });
    expect(reading.action).toBe('repairing');
    expect(rejectionOf(reading)).toMatchObject({ reason: 'empty', detail: 'no message' });
  });
});

describe('R001-14 only what is missing is asked for, and what was sent stays', () => {
  const cut = whole.slice(0, whole.indexOf('## SUGGESTIONS'));

  test('the missing section is named', () => {
    const reading = read(answered(cut));
    expect(reading.action).toBe('completing');
    expect(rejectionOf(reading)).toMatchObject({
      reason: 'incomplete',
      message: { kind: 'sections', missing: ['SUGGESTIONS'] },
      kept: { wanted: ['SUGGESTIONS'], from: [1] },
    });
  });

  test('X001-15 kept sections are byte-identical, only the named one comes from the second answer', () => {
    const kept = keptAfter(cut);
    const second = '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- Other.\n\n## SUGGESTIONS\n- Name it.\n';
    const { verdict, action } = read(answered(second), { attempt: 2, kept });
    expect(action).toBe('settled');
    if (verdict.kind !== 'settled') throw new Error('not settled');
    expect(verdict.mergedFrom).toEqual([1, 2]);
    expect(verdict.block.sections.map(({ name, text }) => [name, text.trim()])).toEqual([
      ['STRENGTHS', '- Short.'],
      ['ISSUES', issues],
      ['SUGGESTIONS', '- Name it.'],
    ]);
  });

  test('an answer without the wanted section is asked for it again', () => {
    const reading = read(answered('Here you are.'), { attempt: 2, kept: keptAfter(cut) });
    expect(rejectionOf(reading)).toMatchObject({
      reason: 'incomplete',
      kept: { wanted: ['SUGGESTIONS'], from: [1] },
    });
  });
});

test('an ISSUES section that is neither none nor items is asked for again and never clean', () => {
  const reading = read(answered(whole.replace(issues, 'It could be better in places.')));
  expect(reading.action).toBe('completing');
  const { reason, message, kept } = rejectionOf(reading);
  expect(reason).toBe('malformed');
  expect(message).toMatchObject({ kind: 'correction', malformations: [{ section: 'ISSUES' }] });
  expect(kept?.block.sections.map(({ name }) => name)).toEqual(['STRENGTHS', 'SUGGESTIONS']);
});

describe('R001-16 an answer about something else gets the context again', () => {
  const design =
    '[RESPONSE:DESIGN]\n\n## ASSESSMENT\nok\n\n## RISKS\nNone\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\ngo\n';

  test('another answer tag', () => {
    const reading = read(answered(design));
    expect(reading.action).toBe('recontextualising');
    expect(rejectionOf(reading)).toMatchObject({ reason: 'irrelevant', message: { kind: 'context' } });
  });

  test('X001-11 never twice in a row for the same reason', () => {
    const first = rejectionOf(read(answered(design)));
    const again = read(answered(design), { attempt: 2, lastIrrelevance: first.detail });
    expect(again.action).toBe('repairing');
    expect(rejectionOf(again).reason).toBe('marker_absent');
  });
});

describe('R001-15 a time-out is answered by a strictly shorter request', () => {
  const timeOut: TurnResult = {
    kind: 'timed_out',
    limit: 'idle',
    message: 'silent for 300 s',
    sessionId: null,
  };

  test('where the prompt can be made shorter', () => {
    const long = {
      ...request,
      optional: [{ title: 'History', text: 'x'.repeat(9000), origin: 'foreign' as const }],
    };
    const length = renderRequest(long, { budgetCharacters: null }).text.length;
    const reading = readTurn(ask({ request: long }), timeOut, length);
    expect(reading.action).toBe('shortening');
    expect(reading.request.optional).toEqual([]);
    expect(renderRequest(reading.request, { budgetCharacters: null }).text.length).toBeLessThan(length);
  });

  test('X001-10 otherwise the time-out is final', () => {
    const bare = { ...request, change: null, optional: [], required: [] };
    const length = renderRequest(bare, { budgetCharacters: null }).text.length;
    const reading = readTurn(ask({ request: bare }), timeOut, length);
    expect(reading.action).toBe('exhausted');
    expect(rejectionOf(reading)).toMatchObject({
      cause: 'time',
      final: true,
      detail: 'silent for 300 s (idle limit)',
    });
  });
});

test('an overloaded agent is waited for as long as it says', () => {
  const reading = read({ kind: 'overloaded', message: '503', retryAfterMs: 1200, sessionId: null });
  expect(reading.action).toBe('waiting');
  expect(rejectionOf(reading)).toMatchObject({
    reason: 'overloaded',
    cause: 'overloaded',
    retryAfterMs: 1200,
  });
});

test('a turn that we ended for the sake of another costs no rung', () => {
  const reading = read({ kind: 'cut', message: 'the server was stopped', sessionId: 't', uncounted: true });
  expect(reading.action).toBe('waiting');
  expect(reading.spent).toEqual({ ...nothingSpent, attempts: 1 });
});

test('an agent that cannot run ends the exchange with its remedy', () => {
  const reading = read({ kind: 'unavailable', code: 'auth', message: '401', hint: 'codex login' });
  expect(reading.action).toBe('unavailable');
  expect(rejectionOf(reading)).toMatchObject({ cause: 'auth', detail: '401', hint: 'codex login' });
});

test('a call that the run had no time for ends the exchange', () => {
  const reading = read({ kind: 'refused', cause: 'time', message: 'the time is over', made: false });
  expect(reading.action).toBe('exhausted');
  expect(rejectionOf(reading)).toMatchObject({ reason: 'timed_out', cause: 'time', final: true });
});

describe('X001-7 a reverse request suspends the exchange', () => {
  const asksBack = '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currency is it?\n';

  test('and costs no attempt', () => {
    const reading = read(answered(asksBack));
    expect(reading).toMatchObject({
      action: 'answering',
      verdict: {
        kind: 'asked_back',
        request: { tag: '[CONSULT:CLAUDE:CONTEXT]', text: 'Which currency is it?' },
      },
      spent: { ...nothingSpent, answering: 1 },
    });
  });

  test('also in the place of a missing section', () => {
    const { kept } = rejectionOf(read(answered(whole.slice(0, whole.indexOf('## SUGGESTIONS')))));
    expect(read(answered(asksBack), { kept }).action).toBe('answering');
  });

  test('the fourth one is refused', () => {
    const reading = read(answered(asksBack), { spent: { ...nothingSpent, answering: 3 } });
    expect(reading.action).toBe('repairing');
    expect(rejectionOf(reading)).toMatchObject({
      reason: 'marker_absent',
      detail: 'asked back more than 3 times',
    });
  });
});
