/** Files that version 0.1.0 wrote: a review of examples/checkout.diff by a rehearsal, and a result in which nothing was reviewed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { example, repository, test, type Place } from '../place.ts';

const run = '20261122-214425-q5aa';
const kept = (name: string): string =>
  readFileSync(join(repository, 'test/fixtures/version-0.1.0', name), 'utf8');
const records = kept('journal.jsonl').trimEnd().split('\n');

describe.concurrent('version 0.1.0', () => {
  test('an ended run is listed, shown, checked and reported', async ({ place, expect }) => {
    putRun(place, records.length);
    const [runs, shown, checked, sarif] = await Promise.all([
      place.collab(['runs']),
      place.collab(['show', run]),
      place.collab(['check', run]),
      place.collab(['report', 'result.json', '--format', 'sarif']),
    ]);
    expect(runs.stdout).toContain(`${run}  ended        findings `);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('findings — 2 findings') });
    expect(checked.stdout).toMatch(/, 0 violations\n$/);
    expect(sarif).toMatchObject({ code: 0, stdout: expect.stringContaining('"ruleId"') });
  });

  test('what its result found is known as a baseline', async ({ place, expect }) => {
    putRun(place, records.length);
    const again = await place.collab([
      'review',
      example('checkout.diff'),
      '--advisor',
      place.rehearsal('graded'),
      '--baseline',
      'result.json',
    ]);
    // Rules find more: in that version they reported nothing in a rehearsed review.
    expect(again).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/since the baseline \S+: \d+ new, 2 still there, 0 fixed\n/),
    });
  });

  test('a result of nothing reviewed that was called clean is not called so again', async ({
    place,
    expect,
  }) => {
    place.write('old.json', kept('nothing-reviewable.json'));
    const formats = ['terminal', 'markdown', 'github', 'sarif', 'gitlab', 'rdjson'];
    const printed = await Promise.all(
      formats.map((format) => place.collab(['report', 'old.json', '--format', format])),
    );
    expect(printed.map(({ code }) => code)).toEqual(formats.map(() => 0));
    for (const { stdout } of printed) expect(stdout).not.toMatch(/\bclean\b/i);
    expect(printed[0]?.stdout).toContain('nothing reviewed');
  });

  test('an unfinished run that has only begun is finished', async ({ place, expect }) => {
    putRun(place, 1);
    const resumed = await place.collab(['resume', run]);
    expect(resumed).toMatchObject({ code: 1, stdout: expect.stringContaining(': The total is rounded') });
  });

  // The input of a step holds the folder of the run, which is another one here.
  test.for([7, 17, 18])(
    'an unfinished run of %i records from elsewhere ends with a sentence',
    async (count, { place, expect }) => {
      putRun(place, count);
      const resumed = await place.collab(['resume', run]);
      expect(resumed).toEqual({
        code: 4,
        stdout: '',
        stderr:
          'collab: The step review/census has another input than before\n' +
          '  The run was started with other code or other input; start a new one.\n',
      });
    },
  );
});

/** The run as a process of 0.1.0 left it after `count` of its records. */
function putRun(place: Place, count: number): void {
  const here = (text: string): string => text.replaceAll('/home/user/project', place.folder);
  const input: { change: { diff: string } } = JSON.parse(here(kept('input.json')));
  input.change.diff = readFileSync(join(repository, input.change.diff), 'utf8');
  place.rehearsal('graded');
  place.write(`.collab/runs/${run}/input.json`, JSON.stringify(input));
  place.write(
    `.collab/runs/${run}/journal.jsonl`,
    here(
      records
        .slice(0, count)
        .map((line) => `${line}\n`)
        .join(''),
    ),
  );
  if (count < records.length) return;
  place.write(`.collab/runs/${run}/result.json`, here(kept('result.json')));
  place.write('result.json', here(kept('result.json')));
}
