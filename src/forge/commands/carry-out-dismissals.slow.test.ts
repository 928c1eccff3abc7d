import { expect, onTestFinished, test } from 'vitest';
import { type GithubPull } from '../../../test/forge/github-pull.ts';
import { startGitlabMergeRequest } from '../../../test/forge/gitlab-merge-request.ts';
import { openCommentHost } from '../open-forge.ts';
import { diffOf, findingOn, headOf } from '../round/rounds.test-helper.ts';
import { readCommentName } from './comment-name.ts';
import {
  pullRequest,
  files,
  till,
  round,
  openingOf,
  onLog,
  command,
  summaryOf,
  beside,
  said,
} from './carry-out.test-helper.ts';

const onCash = findingOn({
  path: 'src/till.ts',
  line: 3,
  quote: till[2] ?? '',
  title: 'cash',
  severity: 'critical',
});

const writes = (pull: GithubPull) =>
  pull.calls().filter(({ method, path }) => method !== 'GET' && !path.endsWith('graphql'));

test('a dismissal is answered in the thread with reason and author, resolves it, and stays over rounds', async () => {
  const pull = await pullRequest();
  await round(pull, 1, [onLog]);
  const id = pull.say('/collab dismiss 1 the bank masks `cash` @team', 'anna');
  expect(await command(pull, `issuecomment-${id}`)).toMatchObject({ did: 'dismissed', number: 1 });
  const [thread] = pull.threads();
  expect([thread?.isResolved, thread?.comments.length]).toEqual([true, 2]);
  expect(thread?.comments[1]?.body).toMatch(
    /^<!-- collab:dismissed .* -->\n\n\*\*F1 is dismissed\*\* by `anna`: the bank/,
  );
  expect(thread?.comments[1]?.body).not.toContain('@team');
  for (const number of [2, 3]) {
    await round(pull, number, [onLog]);
    expect(pull.threads()).toHaveLength(1);
    expect(summaryOf(pull)).toContain('(dismissed by `anna`: the bank masks');
    expect(summaryOf(pull)).toContain('0 new, 0 still there, 0 fixed, 1 dismissed');
  }
  expect(pull.checks().map(({ conclusion }) => conclusion)).toEqual(['failure', 'success', 'success']);
  // Worse than the dismissed one: it counts again.
  await round(pull, 4, [{ ...onLog, severity: 'critical' }]);
  expect(pull.threads()[0]?.isResolved).toBe(false);
  expect(pull.checks().at(-1)).toMatchObject({ conclusion: 'failure' });
});

test('a finding without a thread is dismissed in the conversation, by a comment on a line, too', async () => {
  const pull = await pullRequest();
  await round(pull, 1, [onLog, beside]);
  const [thread] = pull.threads();
  const id = pull.say('/collab dismiss F2 not ours', 'root', thread);
  expect(await command(pull, `discussion_r${id}`)).toMatchObject({ did: 'dismissed', number: 2 });
  expect(said(pull)).toHaveLength(1);
  expect(said(pull)[0]?.body).toContain('**F2 is dismissed** by `root`: not ours');
  await round(pull, 2, [onLog, beside]);
  expect(summaryOf(pull)).toContain('(dismissed by `root`: not ours)');
});

test('a review is announced with both commits of the present head, and answered', async () => {
  const pull = await pullRequest();
  const id = pull.say('/collab review', 'anna');
  pull.push({ head: headOf(2), diff: diffOf(files) });
  expect(await command(pull, String(id))).toMatchObject({
    did: 'review',
    announced: [{ base: '1'.repeat(40), head: headOf(2) }],
  });
  expect(said(pull)[0]?.body).toMatch(
    new RegExp(`^<!-- collab:answer .*\n\nThe review of \`${headOf(2)}\` begins`),
  );
});

test.each([
  ['a person who may only read', '/collab dismiss 1 mine', 'guest', /guest may not write/],
  ['a stranger', '/collab review', 'stranger', /stranger may not write/],
  ['a program', '/collab review', 'ci[bot]', /is a program/],
  ['a comment without a command', 'see /collab review', 'anna', /no command/],
  ['our own comment', '<!-- collab:answer e30= - -->\n/collab review', 'collab-bot', /no command/],
])('%s is ignored: nothing is written', async (_, body, author, because) => {
  const pull = await pullRequest();
  await round(pull, 1, [onLog]);
  const before = writes(pull).length;
  const id = pull.say(body, author);
  expect(await command(pull, String(id))).toMatchObject({
    did: 'ignored',
    because: expect.stringMatching(because),
  });
  expect([writes(pull).length - before, pull.threads()[0]?.isResolved]).toEqual([0, false]);
});

test('a comment that is deleted before it is read is ignored, and one of the other kind or another pull request', async () => {
  const pull = await pullRequest();
  const id = pull.say('/collab review', 'anna');
  expect(await command(pull, String(id + 5))).toMatchObject({ did: 'ignored' });
  expect(await command(pull, `discussion_r${id}`)).toMatchObject({ did: 'ignored' });
  const { name, place, marks } = openingOf(pull, 'github');
  const host = await openCommentHost({ ...name, number: 8 }, place, marks);
  expect(await host.readComment(readCommentName(String(id)))).toBeNull();
});

test('an edited comment counts as it is when it is read', async () => {
  const pull = await pullRequest();
  const id = pull.say('/collab review', 'anna');
  const comment = pull.comments().find((one) => one.id === id);
  if (comment !== undefined) comment.body = 'never mind';
  expect(await command(pull, String(id))).toMatchObject({ did: 'ignored', announced: [] });
});

test.each([
  ['/collab', /collab reads one of these/],
  ['/collab dismiss 1', /collab reads one of these/],
  ['/collab dismiss 9 why', /no finding F9 here\. Open: F1, F2\./],
  ['/collab dismiss 1 why', /F1 is not dismissed: it is Critical/],
  [`/collab dismiss 2 ${'why '.repeat(400)}`, /1000 is the limit/],
])('%s gets one short answer, and changes nothing', async (body, expected) => {
  const pull = await pullRequest();
  await round(pull, 1, [onCash, onLog]);
  const id = pull.say(body, 'anna');
  expect(await command(pull, String(id))).toMatchObject({ did: 'answered' });
  expect(said(pull).map((one) => one.body)).toEqual([expect.stringMatching(expected)]);
  expect(await command(pull, String(id))).toMatchObject({ did: 'ignored' });
  expect(said(pull)).toHaveLength(1);
  expect(pull.threads().map(({ isResolved, comments }) => [isResolved, comments.length])).toEqual([
    [false, 1],
    [false, 1],
  ]);
});

test('secrets, findings that are gone and dismissed ones are not dismissed', async () => {
  const pull = await pullRequest();
  const password = { ...onLog, source: 'rule:hardcoded-password' };
  await round(pull, 1, [password, { ...beside, rejectable: false }]);
  for (const [number, why] of [
    [1, 'a secret'],
    [2, 'a secret'],
  ] as const) {
    await command(pull, String(pull.say(`/collab dismiss ${number} why`, 'anna')));
    expect(said(pull).at(-1)?.body).toContain(`F${number} is not dismissed: it is ${why}`);
  }
  const other = await pullRequest();
  await round(other, 1, [onLog]);
  await command(other, String(other.say('/collab dismiss 1 why', 'anna')));
  await command(other, String(other.say('/collab dismiss 1 again', 'root')));
  expect(said(other).at(-1)?.body).toContain('F1 is dismissed already');
});

test('GitLab: a Developer dismisses in a note; a Reporter, a bot and a stranger are ignored', async () => {
  const levels = { 11: 30, 12: 20, 900: 40 };
  const world = await startGitlabMergeRequest({ head: headOf(1), diff: diffOf(files), levels });
  onTestFinished(() => world.close());
  await round(world, 1, [onLog], 'gitlab');
  for (const person of [12, 13, 900])
    expect(
      await command(world, `note_${world.say('/collab dismiss 1 why', person)}`, 'gitlab'),
    ).toMatchObject({
      did: 'ignored',
    });
  const id = world.say('/collab dismiss 1 the bank masks it', 11);
  for (const did of ['dismissed', 'ignored'])
    expect(await command(world, `note_${id}`, 'gitlab')).toMatchObject({ did });
  const thread = world.discussions().find(({ place }) => place === 'src/till.ts:2');
  expect([thread?.isResolved, thread?.notes.length]).toEqual([true, 2]);
  expect(thread?.notes[1]?.body).toContain('by `user-11`: the bank masks it');
  await round(world, 2, [onLog], 'gitlab');
  expect(thread?.isResolved).toBe(true);
  expect(world.statuses().at(-1)).toMatchObject({ state: 'success' });
});
