import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { CollabError, review, type CollabEvent, type ReviewCall } from '../../index.ts';
import { smallDiff, wholeAnswer } from '../rehearsed-review.test-helper.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'collab-library-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function call(turn: object, changes: Partial<ReviewCall> = {}): ReviewCall {
  writeFileSync(join(cwd, 'script.yaml'), stringify({ agent: { name: 'Codex' }, turns: [turn] }));
  return {
    cwd,
    env: { HOME: cwd, PATH: '/usr/bin:/bin' },
    change: { kind: 'stdin', text: smallDiff },
    advisor: 'rehearsal:script.yaml',
    ...changes,
  };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: unknown) => (error instanceof CollabError ? error.code : String(error)),
  );
}

async function read(events: AsyncIterable<CollabEvent>): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const event of events) types.push(event.type);
  return types;
}

test('a program reads the events as they happen, then the result', async () => {
  const running = review(call({ answer: wholeAnswer }));
  const types = await read(running);
  expect([types[0], types.at(-1)]).toEqual(['run.started', 'run.ended']);
  expect(await running.result).toMatchObject({ state: 'ended', outcome: 'clean', exit_code: 0 });
});

test('the events need not be read', async () => {
  expect((await review(call({ answer: wholeAnswer })).result).outcome).toBe('clean');
});

test('an aborted review is canceled, and its events end with the same error', async () => {
  const running = review(call({ fault: 'never' }));
  const reading = (async () => {
    for await (const { type } of running) if (type === 'step.bound') running.abort();
  })();
  expect(await Promise.all([codeOf(running.result), codeOf(reading)])).toEqual(['cancelled', 'cancelled']);
});

test('a review that is aborted before its start leaves nothing', async () => {
  const running = review(call({ answer: wholeAnswer }, { signal: AbortSignal.abort() }));
  expect(await codeOf(running.result)).toBe('cancelled');
  expect(existsSync(join(cwd, '.collab'))).toBe(false);
});

test('an abort is the reason, whatever else is wrong', async () => {
  const running = review(call({}, { advisor: 'unknown', signal: AbortSignal.abort() }));
  await expect(running.result).rejects.toMatchObject({
    code: 'cancelled',
    message: 'the review was aborted before it started',
  });
});

test('wrong settings, an unknown advisor and an empty change are refused before anything starts', async () => {
  const refused = [
    call({}, { settings: { concurrency: 0 } }),
    call({}, { advisor: 'nobody' }),
    call({}, { change: { kind: 'stdin', text: '' } }),
  ];
  const codes = await Promise.all(refused.map((wrong) => codeOf(review(wrong).result)));
  expect(codes).toEqual(['usage', 'usage', 'empty_input']);
  expect(existsSync(join(cwd, '.collab'))).toBe(false);
});
