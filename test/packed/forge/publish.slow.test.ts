/** `collab publish` as it is installed: its words, and what is left on the pull request after it is killed. */
import { onTestFinished } from 'vitest';
import { diffOf, findingOn, headOf, roundResult } from '../../../src/forge/round/rounds.test-helper.ts';
import { startGithubPull, type GithubPull, type GithubPullOptions } from '../../forge/github-pull.ts';
import { test, type Place } from '../place.ts';
import type { StartedCommand } from '../started-command.ts';

const lines = ['export function till(cash: number) {', '  eval(String(cash));', '  return cash;', '}'];
const files = { 'src/till.ts': lines, 'src/gone.ts': ['export const left = 1;'] };
const onEval = findingOn({
  path: 'src/till.ts',
  line: 2,
  quote: lines[1] ?? '',
  title: 'eval runs the input',
});
const onLeft = findingOn({
  path: 'src/gone.ts',
  line: 1,
  quote: 'export const left = 1;',
  title: 'left is unused',
});
const onCash = findingOn({
  path: 'src/till.ts',
  line: 3,
  quote: '  return cash;',
  title: 'cash is returned',
});

async function pullRequest(more: Partial<GithubPullOptions> = {}): Promise<GithubPull> {
  const pull = await startGithubPull({ head: headOf(1), diff: diffOf(files), ...more });
  onTestFinished(() => pull.close());
  return pull;
}

/** Writes the result of a review of this head; returns the arguments that publish it. */
function published(place: Place, pull: GithubPull, round: number, found: readonly (typeof onEval)[]) {
  const result = roundResult(files, found);
  const reviewed = { ...result, input: { ...result.input, head: headOf(round) } };
  place.write('review.json', JSON.stringify(reviewed));
  return ['publish', 'review.json', `${pull.url}/shop/till/pull/7`];
}

test(
  'it says what it wrote, with the address of the summary and the source of the token',
  { timeout: 180_000 },
  async ({ place, expect }) => {
    const pull = await pullRequest();
    const args = published(place, pull, 1, [onEval, onLeft]);
    expect(await place.collab(args, { env: pull.env })).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^shop\/till#7, round 1: 2 comments posted, 0 still there, 0 fixed; a check run proves it \(GitHub with the token of GITHUB_TOKEN\)\nhttps:\/\/github\.example\/\S+\n$/,
      ),
    });
    pull.push({ head: headOf(2), diff: diffOf(files) });
    expect(await place.collab(args, { env: pull.env })).toMatchObject({
      code: 0,
      stdout: 'nothing is published on shop/till#7: it has another head than the reviewed one\n',
    });
  },
);

test('without a token, and for words that name no pull request, nothing is sent', async ({
  place,
  expect,
}) => {
  const pull = await pullRequest();
  const args = published(place, pull, 1, [onEval]);
  const { GITHUB_TOKEN: _token, ...env } = pull.env;
  expect(await place.collab(args, { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('only with a token'),
  });
  const words = ['publish', 'review.json', 'main'];
  expect(await place.collab(words, { env: pull.env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"main" names no pull request'),
  });
  expect(pull.calls()).toEqual([]);
});

test(
  'killed at every request, and started again, it leaves nothing twice',
  { timeout: 600_000 },
  async ({ place, expect }) => {
    const fixed = { 'src/till.ts': lines };
    for (let at = 1; ; at += 1) {
      for (const isDone of [true, false]) {
        let started: StartedCommand | null = null;
        let offset = Infinity;
        const kill = (count: number): boolean => {
          const isNow = count === offset + at;
          if (isNow) started?.kill('SIGKILL');
          return isNow;
        };
        const pull = await pullRequest({
          onRequest: (count) => void (isDone && kill(count)),
          beforeRequest: (count) => isDone || !kill(count),
        });
        expect(
          await place.collab(published(place, pull, 1, [onEval, onLeft]), { env: pull.env }),
        ).toMatchObject({ code: 0 });
        pull.push({ head: headOf(2), diff: diffOf(fixed) });
        const args = published(place, pull, 2, [onEval, onCash]);
        offset = pull.calls().length;
        started = place.start(args, { env: pull.env });
        const { code } = await started.ended;
        if (code !== null) {
          // One more request than a round has.
          expect([code, at]).toEqual([0, expect.toBeOneOf([11, 12, 13])]);
          return;
        }
        offset = Infinity;
        expect(await place.collab(args, { env: pull.env })).toMatchObject({ code: 0 });
        const threads = pull
          .threads()
          .map(({ path, line, isResolved, comments }) => [path, line, isResolved, comments.length]);
        expect([at, threads]).toEqual([
          at,
          [
            ['src/gone.ts', 1, true, 1],
            ['src/till.ts', 2, false, 1],
            ['src/till.ts', 3, false, 1],
          ],
        ]);
        expect([pull.comments().length, pull.checks().length]).toEqual([1, 2]);
      }
    }
  },
);
