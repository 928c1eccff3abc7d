import { existsSync, readFileSync, rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { CollabEvent } from '../../events/collab-event.ts';
import { prepareRehearsed, wholeAnswer, type RehearsedReview } from '../rehearsed-review.test-helper.ts';
import { transcriptFile } from './transcript-file.ts';

const opened: RehearsedReview[] = [];
afterEach(() => {
  for (const review of opened.splice(0)) review.close();
});

async function prepare(turns: readonly object[]): Promise<RehearsedReview> {
  const review = await prepareRehearsed({ turns, settings: { focus: 'the rounding' } });
  opened.push(review);
  return review;
}

const transcriptOf = ({ runFolder }: RehearsedReview) => readFileSync(transcriptFile(runFolder), 'utf8');

test('a review leaves a transcript of its question, attempts, reverse requests and answer', async () => {
  const review = await prepare([
    { answer: 'I would rather talk about the weather of src/total.ts.' },
    { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhere is `subtotal`?' },
    { answer: wholeAnswer },
  ]);
  expect((await review.drive()).kind).toBe('settled');
  const transcript = transcriptOf(review);
  const told = [
    '### The review is planned',
    '### `[REQUEST:REVIEW]`, `ex_chunk-1`',
    'the rounding',
    '- `src/total.ts`, 1 changed line',
    '**Attempt 1**: a prompt of ',
    '**Not taken**: marker absent (no marker line); the structure is asked for again.',
    '**Attempt 2**',
    '**The advisor asks back** with `[CONSULT:CLAUDE:CONTEXT]`:\n\n> Where is `subtotal`?',
    '**Declined by policy, without a question**: no lead takes part',
    '**The answer** `[RESPONSE:REVIEW]`:\n\n`STRENGTHS`\n\n> - Small.',
    'The exchange is settled after 2 attempts.',
    '## How it ended\n\n**success, clean** after 3 turns.',
    '## Usage',
  ].map((words) => transcript.indexOf(words));
  expect(told).not.toContain(-1);
  expect(told).toEqual(told.toSorted((left, right) => left - right));
});

test('an interrupted run leaves the transcript so far, a resumed one the complete transcript', async () => {
  const review = await prepare([{ fault: 'never', tools: [{ name: 'Read' }] }]);
  const stop = new AbortController();
  const onEvent = ({ type }: CollabEvent) => type === 'tool.result' && stop.abort();
  await expect(review.drive(stop.signal, onEvent)).resolves.toMatchObject({ kind: 'interrupted' });
  expect(transcriptOf(review)).toContain('The record has no end');
  review.rewrite([{ answer: wholeAnswer }]);
  await review.drive();
  expect(transcriptOf(review)).toContain('**success, clean**');
});

test('a drive that records nothing leaves the transcript alone', async () => {
  const review = await prepare([{ answer: wholeAnswer }]);
  const stopped = new AbortController();
  stopped.abort();
  await review.drive(stopped.signal);
  expect(existsSync(transcriptFile(review.runFolder))).toBe(false);
});

test('a process that died between the last record and the transcript leaves it to the next', async () => {
  const review = await prepare([{ answer: wholeAnswer }]);
  await review.drive();
  const whole = transcriptOf(review);
  rmSync(transcriptFile(review.runFolder));
  await review.drive();
  expect(transcriptOf(review)).toBe(whole);
});
