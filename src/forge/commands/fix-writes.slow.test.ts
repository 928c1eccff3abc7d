import { expect, test } from 'vitest';
import type { Fault } from '../../../test/forge/forge-server.ts';
import { headOf } from '../round/rounds.test-helper.ts';
import type { FixResult } from './fix-result.ts';
import {
  reviewed,
  onLog,
  till,
  head,
  file,
  command,
  answers,
  fixOf,
  oneLine,
  patchOf,
  twoLines,
} from './fix-finding.test-helper.ts';

test('a fix begins with the finding as its comment has it, and writes nothing yet', async () => {
  const pull = await reviewed();
  const id = pull.say('/collab fix 1', 'anna');
  const { did, announced } = await command(pull, id);
  expect(did).toBe('fix');
  expect(announced).toMatchObject([
    {
      action: 'fix',
      head: headOf(1),
      finding: {
        id: 'F1',
        path: 'src/till.ts',
        start_line: 2,
        end_line: 2,
        quote: '  log(cash);\n',
        placement: 'exact',
      },
    },
  ]);
  expect(answers(pull)).toEqual([]);
});

test('a fix of exactly the quoted lines is a suggestion on them, once', async () => {
  const pull = await reviewed();
  const id = pull.say('/collab fix F1', 'anna');
  expect(await command(pull, id, fixOf(oneLine))).toMatchObject({ did: 'fixed', as: 'a suggestion' });
  expect(await command(pull, id, fixOf(oneLine))).toMatchObject({ did: 'ignored' });
  expect(pull.threads().map(({ path, line }) => [path, line])).toEqual([
    ['src/till.ts', 2],
    ['src/till.ts', 2],
  ]);
  expect(pull.threads()[1]?.comments[0]?.body).toContain('```suggestion\n  log(mask(cash));\n```');
  expect(pull.branches()).toEqual([]);
});

test('any other fix is a branch of one commit on the head, with a link; the head is not pushed to', async () => {
  const pull = await reviewed();
  const id = pull.say('/collab fix 1', 'anna');
  expect(await command(pull, id, fixOf(twoLines))).toMatchObject({
    did: 'fixed',
    as: `the branch collab/fix-1-${id}`,
  });
  const text = `import { mask } from "./mask.ts";\n${till.join('\n').replace('log(cash)', 'log(mask(cash))')}\n`;
  expect(pull.branches()).toMatchObject([
    { name: `collab/fix-1-${id}`, parents: [headOf(1)], changed: { 'src/till.ts': text } },
  ]);
  expect(answers(pull)).toEqual([
    expect.stringContaining(`[\`collab/fix-1-${id}\`](${pull.url}/shop/till/tree/collab/fix-1-${id})`),
  ]);
});

const isNewBranch: Fault['when'] = ({ method, path }) => method === 'POST' && path.endsWith('/git/refs');
const refused = { status: 422, body: { message: 'Repository rule violations found' } };

test('a branch that GitHub refuses is an error, not a fix', async () => {
  const pull = await reviewed({ faults: [{ when: isNewBranch, answer: refused }] });
  const id = pull.say('/collab fix 1', 'anna');
  await expect(command(pull, id, fixOf(twoLines))).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('Repository rule violations found'),
  });
  expect([pull.branches(), answers(pull)]).toEqual([[], []]);
  expect(await command(pull, id, fixOf(twoLines))).toMatchObject({ did: 'fixed' });
});

test('a branch of this name with another commit is an error: its link would show foreign code', async () => {
  const pull = await reviewed();
  const id = pull.say('/collab fix 1', 'anna');
  await command(pull, id, fixOf(twoLines));
  const answer = pull.comments().find(({ body }) => body.startsWith('<!-- collab:answer'));
  if (answer !== undefined) answer.body = 'edited';
  const other = fixOf(twoLines.replace('mask.ts', 'other.ts'));
  await expect(command(pull, id, other)).rejects.toMatchObject({ status: 422 });
  expect([pull.branches().length, answers(pull)]).toEqual([1, []]);
});

test('a new file, a deleted one and an executable one keep their modes', async () => {
  const pull = await reviewed({ files: { ...head, 'run.sh': file('a\n', '100755'), 'old.ts': file('a\n') } });
  const added =
    'diff --git a/src/n.ts b/src/n.ts\nnew file mode 100644\n--- /dev/null\n+++ b/src/n.ts\n@@ -0,0 +1 @@\n+a\n';
  const deleted =
    'diff --git a/old.ts b/old.ts\ndeleted file mode 100644\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n';
  const run = patchOf('@@ -1 +1 @@\n-a\n+b\n', 'run.sh');
  await command(pull, pull.say('/collab fix 1', 'anna'), fixOf(added + deleted + run));
  expect(pull.branches()[0]?.changed).toEqual({ 'src/n.ts': 'a\n', 'old.ts': null, 'run.sh': 'b\n' });
});

test.each<[string, FixResult | 'missing', RegExp]>([
  ['left nothing', 'missing', /left no result: its log says why/],
  ['changed nothing', fixOf(null), /changed no file for F1/],
  [
    'refused',
    fixOf(null, { findings: [{ id: 'F1', fate: 'refused', reason: 'it is @right' }] }),
    /refused to fix F1: it is/,
  ],
  [
    'left the finding there',
    fixOf(oneLine, { findings: [{ id: 'F1', fate: 'still_there', reason: null }] }),
    /reports it again/,
  ],
  ['was not reviewed', fixOf(oneLine, { findings: [] }), /review of the fix did not end/],
  ['is about another head', fixOf(oneLine, { head: headOf(2) }), /is for another commit/],
  ['is about an unknown state', fixOf(oneLine, { head: null }), /is for another commit/],
  [
    'changes a workflow',
    fixOf(patchOf('@@ -1 +1 @@\n-a\n+b\n', '.github/workflows/a.yml')),
    /decides what is run/,
  ],
  ['goes through a link', fixOf(patchOf('@@ -1 +1 @@\n-a\n+b\n', 'src/l/x.ts')), /does not apply/],
  [
    'changes a link',
    fixOf(patchOf('@@ -1 +1 @@\n-../../etc\n\\ No newline at end of file\n+x\n', 'src/l')),
    /does not apply/,
  ],
  [
    'goes into a module',
    fixOf(
      'diff --git a/sub/n b/sub/n\nnew file mode 100644\n--- /dev/null\n+++ b/sub/n\n@@ -0,0 +1 @@\n+a\n',
    ),
    /does not apply/,
  ],
  ['is about other lines', fixOf(patchOf('@@ -2 +2 @@\n-  log(card);\n+  log(0);\n')), /does not apply/],
  [
    'is about a file that is not there',
    fixOf(patchOf('@@ -1 +1 @@\n-a\n+b\n', 'src/none.ts')),
    /does not apply/,
  ],
  ['is damaged', fixOf(patchOf('@@ -1,9 +1 @@\n-a\n+b\n')), /damaged/],
])('a job that %s gets an answer, and no branch', async (_, fix, expected) => {
  const pull = await reviewed();
  const id = pull.say('/collab fix 1', 'anna');
  for (const did of ['answered', 'ignored']) expect(await command(pull, id, fix)).toMatchObject({ did });
  expect(answers(pull)).toEqual([expect.stringMatching(expected)]);
  expect([pull.branches(), pull.threads().length]).toEqual([[], 1]);
});

test('forks, findings that are not there, and comments with a suggestion get an answer, and no job', async () => {
  const fork = await reviewed({ fork: true });
  expect(await command(fork, fork.say('/collab fix 1', 'anna'))).toMatchObject({
    did: 'answered',
    announced: [],
  });
  expect(answers(fork)).toEqual([expect.stringContaining('from a fork')]);
  const pull = await reviewed({}, [{ ...onLog, replacement: '  log(0);' }]);
  for (const [words, why] of [
    ['/collab fix 9', 'no finding F9 here. Open: F1.'],
    ['/collab fix 1', 'has a suggestion already'],
  ] as const) {
    expect(await command(pull, pull.say(words, 'anna'))).toMatchObject({ did: 'answered', announced: [] });
    expect(answers(pull).at(-1)).toContain(why);
  }
});

test('a comment that was edited, deleted, or whose author lost the permission meanwhile publishes no fix', async () => {
  const permissions: Record<string, string> = { anna: 'write' };
  const pull = await reviewed({ permissions });
  const id = pull.say('/collab fix 1', 'anna');
  await command(pull, id);
  const comment = pull.comments().find((one) => one.id === id);
  if (comment !== undefined) comment.body = '/collab dismiss 1 why';
  expect(await command(pull, id, fixOf(oneLine))).toMatchObject({ did: 'ignored' });
  if (comment !== undefined) comment.body = '/collab fix 1';
  permissions['anna'] = 'read';
  expect(await command(pull, id, fixOf(oneLine))).toMatchObject({ did: 'ignored' });
  expect(pull.threads()).toHaveLength(1);
});
