/** `collab comment` as it is installed: its words, and its file for the next job. */
import { onTestFinished } from 'vitest';
import { diffOf, headOf } from '../../../src/forge/round/rounds.test-helper.ts';
import { startGithubPull, type GithubPull, type GithubPullOptions } from '../../forge/github-pull.ts';
import { test } from '../place.ts';

const files = { 'src/till.ts': ['log(cash);'] };
async function pullRequest(more: Partial<GithubPullOptions> = {}): Promise<GithubPull> {
  const pull = await startGithubPull({ head: headOf(1), diff: diffOf(files), pageSize: 50, ...more });
  onTestFinished(() => pull.close());
  return pull;
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
