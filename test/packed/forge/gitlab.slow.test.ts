/** `collab publish` and `collab comment` on GitLab as they are installed: what is left after they are killed at any request. */
import { onTestFinished } from 'vitest';
import { diffOf, findingOn, headOf, roundResult } from '../../../src/forge/round/rounds.test-helper.ts';
import {
  startGitlabMergeRequest,
  type GitlabMergeRequest,
  type GitlabMergeRequestOptions,
} from '../../forge/gitlab-merge-request.ts';
import { test, type Place } from '../place.ts';
import type { StartedCommand } from '../started-command.ts';

const lines = ['export function till(cash: number) {', '  eval(String(cash));', '  return cash;', '}'];
const files = { 'src/till.ts': lines, 'src/gone.ts': ['export const left = 1;'] };
const onEval = findingOn({ path: 'src/till.ts', line: 2, quote: lines[1] ?? '', title: 'eval' });
const onLeft = findingOn({ path: 'src/gone.ts', line: 1, quote: 'export const left = 1;', title: 'left' });
const onCash = findingOn({ path: 'src/till.ts', line: 3, quote: lines[2] ?? '', title: 'cash' });
const anna = 11;

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

interface Killing {
  /** Returns the arguments of the command that is killed. */
  readonly prepare: (world: GitlabMergeRequest) => Promise<readonly string[]>;
  /** Checks the state after the command ran again. */
  readonly check: (world: GitlabMergeRequest, at: number) => void;
  readonly more?: Partial<GitlabMergeRequestOptions>;
}

/** Kills the command at each of its requests, before and after the effect, and runs it again; returns how many there are. */
async function killEverywhere(place: Place, { prepare, check, more = {} }: Killing): Promise<number> {
  for (let at = 1; ; at += 1) {
    for (const isDone of [true, false]) {
      let started: StartedCommand | null = null;
      let offset = Infinity;
      const kill = (count: number): boolean => {
        const isNow = count === offset + at;
        if (isNow) started?.kill('SIGKILL');
        return isNow;
      };
      const world = await startGitlabMergeRequest({
        head: headOf(1),
        diff: diffOf(files),
        pageSize: 100,
        levels: { [anna]: 30 },
        ...more,
        onRequest: (count) => void (isDone && kill(count)),
        beforeRequest: (count) => isDone || !kill(count),
      });
      onTestFinished(() => world.close());
      const args = await prepare(world);
      offset = world.requests().length;
      started = place.start(args, { env: world.env });
      const { code } = await started.ended;
      if (code !== null) {
        if (code !== 0) throw new Error(`it ended with ${code}`);
        return at - 1;
      }
      offset = Infinity;
      const again = await place.collab(args, { env: world.env });
      if (again.code !== 0) throw new Error(again.stderr);
      check(world, at);
    }
  }
}

test(
  'a round that is killed at every request, and published again, leaves nothing twice',
  { timeout: 900_000 },
  async ({ place, expect }) => {
    const count = await killEverywhere(place, {
      async prepare(world) {
        await place.collab(published(place, world, 1, [onEval, onLeft]), { env: world.env });
        world.push({ head: headOf(2), diff: diffOf({ 'src/till.ts': lines }) });
        return published(place, world, 2, [onEval, onCash]);
      },
      check(world, at) {
        expect([at, ...shown(world)]).toEqual([
          at,
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

const patch = (hunk: string) =>
  `diff --git a/src/till.ts b/src/till.ts\n--- a/src/till.ts\n+++ b/src/till.ts\n${hunk}`;
const exact = patch('@@ -2 +2 @@\n-  eval(String(cash));\n+  read(cash);\n');
const wide = patch(
  '@@ -2,2 +2,2 @@\n-  eval(String(cash));\n-  return cash;\n+  read(cash);\n+  return 0;\n',
);

test.each([
  ['a suggestion', exact, ['src/till.ts:2'], 0],
  ['a branch', wide, [null], 1],
] as const)(
  '%s that is killed at every request, and made again, is there once',
  { timeout: 900_000 },
  async (_, text, places, branches) => {
    const { inPlace } = await import('../place.ts');
    const { expect } = await import('vitest');
    await inPlace(async (place) => {
      const count = await killEverywhere(place, {
        more: { files: { 'src/till.ts': { text: `${lines.join('\n')}\n`, mode: '100644' } } },
        async prepare(world) {
          await place.collab(published(place, world, 1, [onEval]), { env: world.env });
          const fix = {
            schema: 'collab.fix/v1',
            run_id: 'r',
            head: headOf(1),
            findings: [{ id: 'F1', fate: 'fixed', reason: null }],
            patch: text,
          };
          place.write('fix.json', JSON.stringify(fix));
          const note = world.say('/collab fix 1', anna);
          return ['comment', address(world), `note_${note}`, '--fix', 'fix.json'];
        },
        check(world, at) {
          const answers = world
            .discussions()
            .filter(({ notes: [first] }) => first?.body.startsWith('<!-- collab:answer') === true);
          expect([at, ...answers.map((one) => one.place)]).toEqual([at, ...places]);
          expect([at, world.branches().length]).toEqual([at, branches]);
        },
      });
      expect(count).toBeGreaterThan(8);
    });
  },
);
