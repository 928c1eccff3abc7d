import { expect, test } from 'vitest';
import type { Fault } from '../../../test/forge/forge-server.ts';
import type {
  GitlabMergeRequest,
  GitlabMergeRequestOptions,
} from '../../../test/forge/gitlab-merge-request.ts';
import { carryOut } from '../commands/carry-out.ts';
import type { NextJob } from '../commands/command-facts.ts';
import { readCommentName } from '../commands/comment-name.ts';
import type { FixResult } from '../commands/fix-result.ts';
import { openCommentHost } from '../open-forge.ts';
import { findingOn, headOf } from '../round/rounds.test-helper.ts';
import { gitlabHostOf, gitlabMarks, mergeRequestWith, publishOnGitlab } from './gitlab-rounds.test-helper.ts';

const till = ['export function till(cash: number) {', '  log(cash);', '  return cash;', '}'];
const files = { 'src/till.ts': till };
const onLog = findingOn({ path: 'src/till.ts', line: 2, quote: till[1] ?? '', title: 'log shows cash' });
const file = (text: string, mode = '100644') => ({ text, mode });
const inHead = {
  'src/till.ts': file(`${till.join('\n')}\n`),
  'src/l': file('../../etc', '120000'),
  'old.ts': file('a\n'),
  'run.sh': file('a\n', '100755'),
  'bytes.ts': file('a\n'),
  sub: file('abc', '160000'),
};
const [anna, reporter] = [11, 12];

async function reviewed(more: Partial<GitlabMergeRequestOptions> = {}): Promise<GitlabMergeRequest> {
  const levels = { [anna]: 30, [reporter]: 20 };
  const world = await mergeRequestWith(files, { levels, files: inHead, ...more });
  await publishOnGitlab(world, 1, files, [onLog]);
  return world;
}

async function command(world: GitlabMergeRequest, id: number, fix?: FixResult | 'missing') {
  const host = await openCommentHost(...gitlabHostOf(world));
  const announced: NextJob[] = [];
  const announce = (next: NextJob) => void announced.push(next);
  const options = { host, marks: gitlabMarks, name: readCommentName(`note_${id}`), announce };
  return { ...(await carryOut(fix === undefined ? options : { ...options, fix })), announced };
}

function fixOf(patch: string | null): FixResult {
  const findings = [{ id: 'F1', fate: 'fixed' as const, reason: null }];
  return { schema: 'collab.fix/v1', run_id: 'r1', head: headOf(1), findings, patch };
}

const patchOf = (hunks: string, path = 'src/till.ts') =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunks}`;
const added = (path: string, mode = '100644') =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+a\n`;
const deleted =
  'diff --git a/old.ts b/old.ts\ndeleted file mode 100644\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n';
const oneLine = patchOf(
  '@@ -1,4 +1,4 @@\n export function till(cash: number) {\n-  log(cash);\n+  log(mask(cash));\n   return cash;\n }\n',
);
const twoLines = patchOf(
  '@@ -1,4 +1,5 @@\n+import { mask } from "./mask.ts";\n export function till(cash: number) {\n-  log(cash);\n+  log(mask(cash));\n   return cash;\n }\n',
);

const ours = (world: GitlabMergeRequest) =>
  world.discussions().filter(({ notes: [first] }) => first?.body.startsWith('<!-- collab:answer') === true);
const answers = (world: GitlabMergeRequest) => ours(world).map(({ notes: [first] }) => first?.body ?? '');

test('a Developer asks for a fix: the finding is announced, and nothing is written; a Reporter is ignored', async () => {
  const world = await reviewed();
  expect(await command(world, world.say('/collab fix 1', reporter))).toMatchObject({
    did: 'ignored',
    announced: [],
  });
  const { did, announced } = await command(world, world.say('/collab fix F1', anna));
  expect([did, announced]).toMatchObject([
    'fix',
    [{ action: 'fix', head: headOf(1), finding: { id: 'F1', path: 'src/till.ts', start_line: 2 } }],
  ]);
  expect(answers(world)).toEqual([]);
});

test('a fix of exactly the quoted lines is a suggestion on them, once', async () => {
  const world = await reviewed();
  const id = world.say('/collab fix 1', anna);
  expect(await command(world, id, fixOf(oneLine))).toMatchObject({ did: 'fixed', as: 'a suggestion' });
  expect(await command(world, id, fixOf(oneLine))).toMatchObject({ did: 'ignored' });
  expect(ours(world)).toMatchObject([{ place: 'src/till.ts:2' }]);
  expect(answers(world)[0]).toContain('```suggestion:-0+0\n  log(mask(cash));\n```');
  expect(world.branches()).toEqual([]);
});

test('a fix that GitLab could misread as a command is a branch', async () => {
  const world = await reviewed();
  const id = world.say('/collab fix 1', anna);
  const fix = fixOf(oneLine.replace('log(mask(cash));', '/close'));
  expect(await command(world, id, fix)).toMatchObject({ as: `the branch collab/fix-1-${id}` });
  expect(ours(world).map(({ place }) => place)).toEqual([null]);
});

test('any other fix is a branch of one commit on the head, with a link', async () => {
  const world = await reviewed();
  const id = world.say('/collab fix 1', anna);
  const fix = twoLines + deleted + added('src/n.ts') + added('do.sh', '100755');
  const run = patchOf('@@ -1 +1 @@\n-a\n+b\n', 'run.sh');
  expect(await command(world, id, fixOf(fix + run))).toMatchObject({ as: `the branch collab/fix-1-${id}` });
  expect(await command(world, id, fixOf(fix + run))).toMatchObject({ did: 'ignored' });
  expect(world.branches()).toEqual([
    {
      name: `collab/fix-1-${id}`,
      parents: [headOf(1)],
      message: 'Fix F1 of merge request !7',
      changed: {
        'src/till.ts': `import { mask } from "./mask.ts";\n${till.join('\n').replace('log(cash)', 'log(mask(cash))')}\n`,
        'old.ts': null,
        'src/n.ts': 'a\n',
        'do.sh': 'a\n',
        'run.sh': 'b\n',
      },
      executable: ['do.sh'],
    },
  ]);
  expect(answers(world)).toEqual([
    expect.stringContaining(`[\`collab/fix-1-${id}\`](${world.url}/shop/till/-/tree/collab/fix-1-${id})`),
  ]);
});

test.each([
  ['of a CI file', patchOf('@@ -1 +1 @@\n-a\n+b\n', 'ci/deploy.gitlab-ci.yml'), /decides what is run/],
  ['below a link', added('src/l/x.ts'), /does not apply/],
  [
    'of a link',
    patchOf('@@ -1 +1 @@\n-../../etc\n\\ No newline at end of file\n+x\n', 'src/l'),
    /does not apply/,
  ],
  ['in a module', added('sub/n/m'), /does not apply/],
  ['below a file', added('old.ts/n'), /does not apply/],
  ['that adds a file that is there', added('old.ts'), /does not apply/],
  ['of a file that is not there', patchOf('@@ -1 +1 @@\n-a\n+b\n', 'new/none.ts'), /does not apply/],
  ['of other lines', patchOf('@@ -2 +2 @@\n-  log(card);\n+  log(0);\n'), /does not apply/],
])('a patch %s gets an answer, and no branch', async (_, patch, expected) => {
  const world = await reviewed();
  const id = world.say('/collab fix 1', anna);
  for (const did of ['answered', 'ignored'])
    expect(await command(world, id, fixOf(patch))).toMatchObject({ did });
  expect(answers(world)).toEqual([expect.stringMatching(expected)]);
  expect(world.branches()).toEqual([]);
});

test('a fork gets an answer, and neither a job nor a branch', async () => {
  const world = await reviewed({ fork: true });
  const [first, second] = [world.say('/collab fix 1', anna), world.say('/collab fix 1', anna)];
  expect(await command(world, first)).toMatchObject({ did: 'answered', announced: [] });
  expect(await command(world, second, fixOf(twoLines))).toMatchObject({ did: 'answered' });
  expect(answers(world).map((body) => body.includes('from a fork'))).toEqual([true, true]);
  expect(world.branches()).toEqual([]);
});

const isCommit: Fault['when'] = ({ method, path }) => method === 'POST' && path.endsWith('/commits');

test.each([true, false])(
  'a commit whose answer is lost is made once (it had its effect: %s)',
  async (isDone) => {
    const answer = { status: 502, body: '' };
    const world = await reviewed({ faults: [{ when: isCommit, answer, isDone }] });
    expect(await command(world, world.say('/collab fix 1', anna), fixOf(twoLines))).toMatchObject({
      did: 'fixed',
    });
    expect([world.branches().length, answers(world).length]).toEqual([1, 1]);
  },
);

test('a commit that GitLab refuses is an error, not a fix', async () => {
  const answer = { status: 400, body: { message: 'A branch of this name is not allowed' } };
  const world = await reviewed({ faults: [{ when: isCommit, answer }] });
  const asked = command(world, world.say('/collab fix 1', anna), fixOf(twoLines));
  await expect(asked).rejects.toMatchObject({ status: 400 });
  expect(answers(world)).toEqual([]);
});
