/** Some cuts of a whole review; test/agents makes all of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byteLength, createCutReview, type CutReview } from './cut-review.ts';

let review: CutReview;

beforeAll(async () => {
  review = await createCutReview();
});
afterAll(() => review.close());

test('the interrupted review contains every kind of turn', () => {
  const rejections = review.lines.flatMap(
    (line) => /"type":"exchange.rejected","reason":"(\w+)"/.exec(line)?.[1] ?? [],
  );
  expect(rejections.toSorted()).toEqual(['incomplete', 'overloaded', 'timed_out']);
  expect(review.lines.filter((line) => line.includes('"exchange.answered_back"'))).toHaveLength(1);
  const verdicts = review.lines.flatMap(
    (line) => /"type":"finding.judged","id":"F\d","verdict":"(\w+)"/.exec(line)?.[1] ?? [],
  );
  expect(verdicts.toSorted()).toEqual(['confirmed', 'rejected', 'unverified']);
  expect(review.lines.filter((line) => line.includes('"value_ref"')).length).toBeGreaterThan(0);
  expect(review.lines.at(-1)).toContain('"run.ended"');
});

test('XB-1 a review whose journal is cut goes on to the same result without a finished call', async () => {
  expect(await review.goOnAfterRecords(0)).toHaveLength(13);
  for (let kept = 9; kept < review.lines.length; kept += 16) await review.goOnAfterRecords(kept);
});

test('a blob whose line was never written costs its call again, or not even that if the answer is harvested', async () => {
  const line = review.lines.findIndex((text) => text.includes('"value_ref"'));
  const step = /"step":"([^"]+)"/.exec(review.lines[line] ?? '')?.[1] ?? '';
  const bound = review.lines.findIndex((text) => text.includes('"step.bound"') && text.includes(`"${step}"`));
  expect(await review.goOnAfterRecords(line)).not.toContain(step);
  expect(await review.goOnAfterRecords(bound)).toContain(step);
});

test('a torn last line is cut off, and only the end is written again', async () => {
  const whole = byteLength(review.lines);
  const last = whole - byteLength(review.lines.slice(0, -1));
  for (let torn = 1; torn < last; torn += 90) expect(await review.goOnAfterBytes(whole - torn)).toEqual([]);
});
