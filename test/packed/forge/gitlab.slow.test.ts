/** `collab publish` on GitLab as it is installed: what is left after it is killed at any request. */
import { diffOf, findingOn, headOf, roundResult } from '../../../src/forge/round/rounds.test-helper.ts';
import { startGitlabMergeRequest, type GitlabMergeRequest } from '../../forge/gitlab-merge-request.ts';
import { test, type Place } from '../place.ts';
import { killEverywhere } from './kill-everywhere.ts';

const lines = ['export function till(cash: number) {', '  eval(String(cash));', '  return cash;', '}'];
const files = { 'src/till.ts': lines, 'src/gone.ts': ['export const left = 1;'] };
const onEval = findingOn({ path: 'src/till.ts', line: 2, quote: lines[1] ?? '', title: 'eval' });
const onLeft = findingOn({ path: 'src/gone.ts', line: 1, quote: 'export const left = 1;', title: 'left' });
const onCash = findingOn({ path: 'src/till.ts', line: 3, quote: lines[2] ?? '', title: 'cash' });

const address = (world: GitlabMergeRequest) => `${world.url}/shop/till/-/merge_requests/7`;

/** Writes the result of a review of this head; returns the arguments that publish it. */
function published(
  place: Place,
  world: GitlabMergeRequest,
  round: number,
  found: readonly (typeof onEval)[],
) {
  const result = roundResult(files, found);
  const reviewed = { ...result, input: { ...result.input, head: headOf(round) } };
  place.write('review.json', JSON.stringify(reviewed));
  return ['publish', 'review.json', address(world)];
}

const shown = (world: GitlabMergeRequest) =>
  world.discussions().map(({ place, isResolved, notes }) => [place, isResolved, notes.length]);

test(
  'a round that is killed at every request, and published again, leaves nothing twice',
  { timeout: 900_000 },
  async ({ place, expect }) => {
    const count = await killEverywhere<GitlabMergeRequest>(place, {
      open: (hooks) =>
        startGitlabMergeRequest({ head: headOf(1), diff: diffOf(files), pageSize: 100, ...hooks }),
      async prepare(world) {
        await place.collab(published(place, world, 1, [onEval, onLeft]), { env: world.env });
        world.push({ head: headOf(2), diff: diffOf({ 'src/till.ts': lines }) });
        return published(place, world, 2, [onEval, onCash]);
      },
      check(world, point) {
        expect([point, ...shown(world)]).toEqual([
          point,
          ['src/gone.ts:1', true, 1],
          ['src/till.ts:2', false, 1],
          [null, false, 1],
          ['src/till.ts:3', false, 1],
        ]);
        // The proof is repeated: the last one counts.
        expect(world.statuses().at(-1)).toMatchObject({ name: 'collab', state: 'failed' });
      },
    });
    // 7, a comment with 2 more, and a resolved thread.
    expect(count).toBe(11);
  },
);
