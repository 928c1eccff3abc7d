import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { scratchRepository, shared } from '../../../test/fixtures/scratch-repository.ts';
import { collab } from '../command.test-helper.ts';
import { reviewed } from '../reviewed.test-helper.ts';

/** A change with one finding, which may be dismissed. */
const repository = shared(() => {
  const made = scratchRepository();
  made.write('a.js', '');
  made.commit('begin');
  made.write('a.js', 'debugger;\n');
  return made;
});
let run = '';
beforeAll(async () => {
  ({ run } = await reviewed(repository()));
});

test.each([
  [['F9', '--reason', 'x'], /F9/],
  [['F1', '--reason', 'x', '--expires', '2027-02-30'], /^collab: --expires 2027-02-30 is not a day\n/],
  [
    ['F1', '--reason', 'x', '--expires', 'soon'],
    /^collab: --expires soon is not a day\n {2}Write it as 2027-01-31\.\n/,
  ],
  [['F1', '--reason', 'x', '--expires', '2027-01-310'], /^collab: --expires 2027-01-310 is not a day\n/],
  [['F1', '--reason', 'x', '--expires', '02027-01-31'], /^collab: --expires 02027-01-31 is not a day\n/],
  [['F1'], /^collab: required option '--reason <text>' not specified\n/],
])('dismiss %j is refused', async (args, message) => {
  const { code, out, err } = await collab(repository(), ['dismiss', ...args]);
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(message)]);
});

test('a dismissal names both files and the next steps, and stats count it', async () => {
  expect((await collab(repository(), ['stats'])).out).toBe(
    [
      '1 finding of 1 review',
      '                        reported  confirmed  rejected  dismissed  precision',
      'rule debugger-leftover         1          0         0          0      100 %',
      'class no class                 1          0         0          0      100 %',
      'folder .                       1          0         0          0      100 %',
      'all                            1          0         0          0      100 %',
      '',
    ].join('\n'),
  );
  const words = ['--reason', 'only here', '--expires', '2099-01-31'];
  expect(await collab(repository(), ['dismiss', 'F1', ...words])).toEqual({
    code: 0,
    out: expect.stringMatching(/^dismissed F1 in \S+ and \.collab\/history\.jsonl\n$/),
    err: expect.stringMatching(
      /^ {2}\S.*\n(?: {2}.*\n)* {2}commit both files: a change is reviewed with those of its base\n$/,
    ),
  });
  const again = await collab(repository(), ['dismiss', '1', run, ...words]);
  expect(again.out).toMatch(/^was dismissed before: F1 in /);
  const asJson = await collab(repository(), ['dismiss', '1', ...words, '--json']);
  expect([asJson.code, asJson.err, JSON.parse(asJson.out)]).toEqual([
    0,
    '',
    expect.objectContaining({ finding: 'F1', isNew: false, identity: expect.any(String) }),
  ]);
  const { out } = await collab(repository(), ['stats']);
  expect(out).toContain('\nall                            1          0         0          1        0 %\n');
});

test('stats name the lines of the history that cannot be read', async () => {
  appendFileSync(join(repository().root, '.collab/history.jsonl'), 'no line of it\n');
  const { code, out, err } = await collab(repository(), ['stats']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/\nlines of the history that cannot be read: \d+\n$/);
  const { out: json } = await collab(repository(), ['stats', '--json']);
  expect(JSON.parse(json)).toMatchObject({ reviews: 1, reported: 1, damaged_lines: [expect.any(Number)] });
});

test('without a review there are no findings, and dismissals of other places are counted', async () => {
  const place = scratchRepository();
  expect((await collab(place, ['stats'])).out).toBe('0 findings of 0 reviews\n');
});

test('nextSteps: a file that reviews do not read, and one that git ignores, are named', async () => {
  const { describeDismissal } = await import('./dismiss-command.ts');
  const done = {
    isNew: true,
    suppressions: 's.yaml',
    history: 'h.jsonl',
    isRead: false,
    ignored: ['h.jsonl'],
  };
  expect(describeDismissal({ id: 'F1' }, done)).toEqual([
    'dismissed F1 in s.yaml and h.jsonl',
    'reviews read the file only by name: put "suppressions: s.yaml" into collab.config.yaml',
    'git ignores h.jsonl: git add -f h.jsonl',
    'commit both files: a change is reviewed with those of its base',
  ]);
});
