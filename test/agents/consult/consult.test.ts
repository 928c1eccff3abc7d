/**
 * A consult with the real Codex: a reverse request leaves no process, and the answer continues in Codex's own thread.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import { inOrder } from '../../upstream/steps.ts';
import { createReviewWorld, type ReviewWorld, type WorkFolder } from '../review/review-user.ts';

let world: ReviewWorld;

beforeAll(async () => {
  world = await createReviewWorld();
});
afterAll(() => world.close());

const brief = 'Is it sound to keep money as integers in `Money`?';
const asksBack = '[CONSULT:CLAUDE:VERIFICATION]\n\nInteger minor units of `Money`, then?\n';
const settled =
  '[RESPONSE:DESIGN]\n\n## ASSESSMENT\n\nThe `Money` plan is sound.\n\n## RISKS\n\nYen.\n\n## ALTERNATIVES\n\nNone\n\n## RECOMMENDATION\n\nKeep it.\n';
const answer = '## VERDICT\n\napprove\n\n## REASON\n\nThe ledger does so, too.\n';

test('X001-7.1,4 a reverse request suspends without a process, and the answer goes on in the same thread', async () => {
  const { folder, before } = await askedBack();
  await world.nothingLeft();
  const answered = await folder.run('answer', 'latest', '--file', 'answer.md');
  expect(answered).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The `Money` plan is sound.'),
  });
  const [first, second, ...others] = world.upstream.requests.slice(before);
  expect(others).toEqual([]);
  expect(lines(first?.lastInput)).toContain(`\n${brief}\n`);
  expect(lines(second?.lastInput)).toMatch(
    /\[RESPONSE:CLAUDE:VERIFICATION\]\n\n## VERDICT\n\napprove\n\n## REASON\n\n[\s\S]*The ledger does so, too\./,
  );
  expect(second?.lastInput).not.toContain(brief);
  // The thread's own history precedes the answer.
  expect(second?.text).toContain('Is it sound to keep money as integers');
  expect(second?.text).toContain('Integer minor units of');
  expect(new Set(sessionsOf(folder)).size).toBe(1);
  expect(checkLaws(folder.events())).toEqual([]);
  await world.nothingLeft();
});

test('a missing thread is replaced by a fresh one that gets request, question and answer together', async () => {
  const { folder, before } = await askedBack();
  await world.nothingLeft();
  expect(removeRollouts(join(world.world.home, '.local', 'state', 'collab'))).toBeGreaterThan(0);
  const answered = await folder.run('answer', 'latest', '--file', 'answer.md');
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('settled') });
  const [, second, ...others] = world.upstream.requests.slice(before);
  expect(others).toEqual([]);
  expect(lines(second?.lastInput)).toContain(`\n${brief}\n`);
  expect(lines(second?.lastInput)).toMatch(
    /Integer minor units of `Money`, then\?[\s\S]*## VERDICT\n\napprove[\s\S]*The ledger does so, too\./,
  );
  expect(new Set(sessionsOf(folder)).size).toBe(2);
  expect(checkLaws(folder.events())).toEqual([]);
  await world.nothingLeft();
});

async function askedBack() {
  world.upstream.play(inOrder({ text: asksBack }, { text: settled }));
  const before = world.upstream.requests.length;
  const folder = world.folder();
  folder.write('brief.md', brief);
  folder.write('answer.md', answer);
  const asked = await folder.run('consult', 'design', '--file', 'brief.md', '--advisor', 'codex');
  expect(asked).toMatchObject({
    code: 10,
    stdout: expect.stringContaining('[CONSULT:CLAUDE:VERIFICATION]\n\nInteger minor units of `Money`, then?'),
  });
  return { folder, before };
}

/** The last input is kept as the JSON that Codex sent. */
function lines(json = ''): string {
  return json.replaceAll(String.raw`\n`, '\n');
}

function sessionsOf(folder: WorkFolder): readonly string[] {
  return folder.events().flatMap((event) => (event.type === 'step.bound' ? [event.session_id] : []));
}

/** Removes the threads that Codex keeps; returns their number. */
function removeRollouts(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /rollout-[^/]*\.jsonl(\.\w+)?$/.test(path),
  );
  for (const file of files) rmSync(join(folder, file));
  return files.length;
}
