import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { buildProgram } from '../../../test/setup/build-program.ts';
import { firstAsk } from '../../machine/exchange/ask-input.test-helper.ts';
import { readTurn, type TurnOutcome, type TurnReading } from '../../machine/exchange/read-turn.ts';
import { readReverseAnswer } from '../../parsers/answers/read-reverse-answer.ts';
import { readVerdicts } from '../../parsers/answers/read-verdicts.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { isLong } from '../../parsers/markdown/answer-size.ts';
import { noBrief, reviewRequest } from '../../prompts/review/review-request.ts';
import { createReader, type Reader } from './reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'collab-reader-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const program = await buildProgram(join(import.meta.dirname, 'thread.ts'), folder);

const request = reviewRequest(
  noBrief,
  parseUnifiedDiff('--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-a\n+b\n').files,
);
const input = firstAsk(request);
const facts = { promptCharacters: 100, closing: '0123456789abcdef' };

const issue = `1. **The total is rounded too early** \`a.js:1\`
   \`\`\`
   b
   \`\`\`
   Why: it loses cents for every line of the order.
   Fix: round once, at the end.

`;

function review(issues: string): string {
  return `[RESPONSE:REVIEW]\n\n## STRENGTHS\n- ok\n\n## ISSUES\n### Important\n${issues}\n\n## SUGGESTIONS\nNone\n`;
}

const longReview = review(issue.repeat(300));
/** Takes more than a second on any machine. */
const slowReview = review('**Important** a.ts:1\n'.repeat(9_900));

function answered(text: string): TurnOutcome {
  return { kind: 'answered', text, sessionId: 'thread-1', usage: null, stopReason: null };
}

function read(reader: Reader, text: string, signal?: AbortSignal): Promise<TurnReading> {
  return reader.turn(input, answered(text), facts, signal);
}

/** Counts the open handles of the threads. */
function threads(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}

const threadsBefore = threads();

test.each([
  ['a review', longReview],
  ['no review', 'The total is rounded too early.\n'.repeat(2_000)],
  ['a contradiction', `${longReview}\n${review('None')}`],
])('a thread reads a long text as the event loop does: %s', async (_name, text) => {
  expect(isLong(text)).toBe(true);
  const reader = createReader({ program });
  const here = createReader({ program: null });
  expect(await read(reader, text)).toEqual(readTurn(input, answered(text), facts));
  const tag = '[CONSULT:CLAUDE:CONTEXT]';
  expect(await reader.reverseAnswer(text, tag)).toEqual(readReverseAnswer(text, tag));
  expect(await reader.verdicts(text, ['F1', 'F2'])).toEqual(readVerdicts(text, ['F1', 'F2']));
  expect(await read(here, text)).toEqual(readTurn(input, answered(text), facts));
});

test('the event loop keeps turning while a long text is read', async () => {
  const order: string[] = [];
  const reading = read(createReader({ program }), slowReview).then(() => order.push('read'));
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  order.push('turned');
  await reading;
  expect(order).toEqual(['turned', 'read']);
});

test('a short text starts no thread', async () => {
  await expect.poll(threads).toBe(threadsBefore);
  const reading = read(createReader({ program: join(folder, 'absent.mjs') }), review(issue));
  expect(threads()).toBe(threadsBefore);
  expect((await reading).verdict.kind).toBe('settled');
});

test('twelve long texts at once are all read, and no thread is left', async () => {
  const reader = createReader({ program, limitMs: 120_000 });
  const readings = await Promise.all(Array.from({ length: 12 }, () => read(reader, longReview)));
  const expected = readTurn(input, answered(longReview), facts);
  for (const reading of readings) expect(reading).toEqual(expected);
  await expect.poll(threads).toBe(threadsBefore);
});

test('texts that take too long are refused, even in the queue, and the next one is read', async () => {
  const reader = createReader({ program, limitMs: 1 });
  const refused = await Promise.all([1, 2, 3, 4].map(() => read(reader, slowReview)));
  for (const { verdict, action } of refused) {
    expect(verdict).toMatchObject({
      kind: 'rejected',
      reason: 'malformed',
      detail: 'the answer could not be read within 4 s',
      message: { kind: 'structure', note: 'unread' },
    });
    expect(action).toBe('completing');
  }
  const late = { kind: 'unreadable', problem: 'could not be read within 4 s' };
  expect(await reader.reverseAnswer(slowReview, '[CONSULT:CLAUDE:CONTEXT]')).toEqual(late);
  expect(await reader.verdicts(slowReview, ['F1'])).toEqual(new Map([['F1', late]]));
  expect((await read(reader, review(issue))).verdict.kind).toBe('settled');
  await expect.poll(threads).toBe(threadsBefore);
});

test('a thread that was ended makes room for waiting texts', async () => {
  const reader = createReader({ program, limitMs: 120_000 });
  const stop = new AbortController();
  const stopped = [1, 2].map(() => read(reader, slowReview, stop.signal));
  const waiting = read(reader, longReview);
  stop.abort(new Error('the run was canceled'));
  for (const reading of stopped) await expect(reading).rejects.toThrow('the run was canceled');
  expect((await waiting).verdict.kind).toBe('settled');
  await expect(read(reader, longReview, stop.signal)).rejects.toThrow('the run was canceled');
});

test('a bug of the program is an error, not a refused answer', async () => {
  const reader = createReader({ program: join(folder, 'absent.mjs') });
  await expect(read(reader, longReview)).rejects.toThrow(/Cannot find module/);
});
