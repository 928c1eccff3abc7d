/** Commands in comments as they are installed: killed at any request and started again, they leave one answer and one effect. */
import { diffOf, findingOn, headOf, roundResult } from '../../../src/forge/round/rounds.test-helper.ts';
import { eitherHost, type EitherHost } from '../../forge/either-host.ts';
import { test, type Place } from '../place.ts';
import { killEverywhere } from './kill-everywhere.ts';

const path = 'src/till.ts';
const lines = ['export function till(cash: number) {', '  eval(String(cash));', '  return cash;', '}'];
const files = { [path]: lines };
const onEval = findingOn({ path, line: 2, quote: lines[1] ?? '', title: 'eval', severity: 'important' });
const opened = {
  head: headOf(1),
  diff: diffOf(files),
  files: { [path]: { text: `${lines.join('\n')}\n`, mode: '100644' } },
};
interface Command {
  readonly words: string;
  readonly more?: readonly string[];
  /** The patch of the fix. */
  readonly patch?: string;
  /** The comments of each thread, the answers in the conversation, and the branches. */
  readonly left: readonly [readonly (readonly [boolean, number])[], number, number];
  /** The file for the next job has this line. */
  readonly next?: string;
}

const toNext = ['--output', 'next.txt', '--finding', 'finding.json'];
const untouched = [[false, 1]] as const;
const commands: readonly (readonly [string, Command])[] = [
  ['a dismissal', { words: '/collab dismiss 1 the bank masks it', left: [[[true, 2]], 0, 0] }],
  ['a review', { words: '/collab review', more: toNext, left: [untouched, 1, 0], next: 'action=review' }],
  [
    'the start of a fix',
    { words: '/collab fix 1', more: toNext, left: [untouched, 0, 0], next: 'action=fix' },
  ],
  [
    'a suggestion',
    {
      words: '/collab fix 1',
      more: ['--fix', 'fix.json'],
      patch: '@@ -2 +2 @@\n-  eval(String(cash));\n+  read(cash);\n',
      left: [[...untouched, ...untouched], 0, 0],
    },
  ],
  [
    'a branch',
    {
      words: '/collab fix 1',
      more: ['--fix', 'fix.json'],
      patch: '@@ -2,2 +2,2 @@\n-  eval(String(cash));\n-  return cash;\n+  read(cash);\n+  return 0;\n',
      left: [untouched, 1, 1],
    },
  ],
];

async function prepare(place: Place, host: EitherHost, { words, more = [], patch }: Command) {
  const result = roundResult(files, [onEval], { fail_on: 'important' });
  place.write('review.json', JSON.stringify({ ...result, input: { ...result.input, head: headOf(1) } }));
  await place.collab(['publish', 'review.json', host.address], { env: host.env });
  place.write('next.txt', '');
  const fix = {
    schema: 'collab.fix/v1',
    run_id: 'r',
    head: headOf(1),
    findings: [{ id: 'F1', fate: 'fixed', reason: null }],
    patch: `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${patch}`,
  };
  if (patch !== undefined) place.write('fix.json', JSON.stringify(fix));
  return ['comment', host.address, host.say(words), ...more];
}

const isAnswer = (body: string) => body.startsWith('<!-- collab:answer');

test.for(
  Object.entries(eitherHost).flatMap(([name, open]) =>
    commands.map(([what, command]) => [name, what, open, command] as const),
  ),
)(
  '%s: %s that is killed at any request, and started again, is there once',
  { timeout: 900_000 },
  async ([, , open, command], { place, expect }) => {
    const count = await killEverywhere<EitherHost>(place, {
      open: (hooks) => open({ ...opened, ...hooks }),
      points: 5,
      prepare: (host) => prepare(place, host, command),
      check(host, point) {
        const threads = host.threads().map(([isResolved, texts]) => [isResolved, texts.length]);
        const answers = host.comments().filter(isAnswer);
        expect([point, threads, answers.length, host.branches().length]).toEqual([point, ...command.left]);
        // The other comment is the summary.
        expect([point, host.comments().length - answers.length]).toEqual([point, 1]);
        if (command.next === undefined) return;
        expect([point, place.read('next.txt').split('\n')]).toEqual([
          point,
          expect.arrayContaining([command.next, `head=${headOf(1)}`]),
        ]);
      },
    });
    expect(count).toBeGreaterThan(5);
  },
);
