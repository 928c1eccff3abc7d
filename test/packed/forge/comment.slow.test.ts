/** `collab comment` as it is installed: its words, its file for the next job, and what is left after it is killed. */
import { onTestFinished } from 'vitest';
import { diffOf, findingOn, headOf, roundResult } from '../../../src/forge/round/rounds.test-helper.ts';
import { startGithubPull, type GithubPull, type GithubPullOptions } from '../../forge/github-pull.ts';
import { test, type Place } from '../place.ts';
import type { StartedCommand } from '../started-command.ts';

const files = { 'src/till.ts': ['log(cash);'] };
const onLog = findingOn({
  path: 'src/till.ts',
  line: 1,
  quote: 'log(cash);',
  title: 'log',
  severity: 'minor',
});

async function pullRequest(more: Partial<GithubPullOptions> = {}): Promise<GithubPull> {
  const pull = await startGithubPull({ head: headOf(1), diff: diffOf(files), pageSize: 50, ...more });
  onTestFinished(() => pull.close());
  return pull;
}

async function publishFinding(place: Place, pull: GithubPull): Promise<void> {
  const result = roundResult(files, [onLog]);
  place.write('review.json', JSON.stringify({ ...result, input: { ...result.input, head: headOf(1) } }));
  await place.collab(['publish', 'review.json', address(pull)], { env: pull.env });
}

const address = (pull: GithubPull) => `${pull.url}/shop/till/pull/7`;

test(
  'it says what it did, and writes what the next job must do',
  { timeout: 120_000 },
  async ({ place, expect }) => {
    const pull = await pullRequest({ permissions: { anna: 'write' } });
    const run = async (body: string, author: string) => {
      const args = [
        'comment',
        address(pull),
        `issuecomment-${pull.say(body, author)}`,
        '--output',
        'next.txt',
      ];
      return place.collab(args, { env: pull.env });
    };
    expect(await run('/collab review', 'stranger')).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'shop/till#7: nothing is done: stranger may not write to the repository (GitHub with the token of GITHUB_TOKEN)\n',
    });
    expect(await run('/collab review', 'anna')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`a review of ${headOf(1)} is to begin`),
    });
    expect(place.read('next.txt')).toBe(`action=review\nbase=${'1'.repeat(40)}\nhead=${headOf(1)}\n`);
    const args = ['comment', address(pull), 'r7'];
    expect(await place.collab(args, { env: pull.env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"r7" names no comment'),
    });
  },
);

test(
  'killed at every request, and started again, it answers once',
  { timeout: 600_000 },
  async ({ place, expect }) => {
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
        await publishFinding(place, pull);
        const args = [
          'comment',
          address(pull),
          String(pull.say('/collab dismiss 1 the bank masks it', 'anna')),
        ];
        offset = pull.calls().length;
        started = place.start(args, { env: pull.env });
        const { code } = await started.ended;
        offset = Infinity;
        expect(await place.collab(args, { env: pull.env })).toMatchObject({ code: 0 });
        const [thread] = pull.threads();
        expect([at, thread?.isResolved, thread?.comments.length]).toEqual([at, true, 2]);
        expect(pull.comments()).toHaveLength(2);
        if (code !== null) return;
      }
    }
  },
);
