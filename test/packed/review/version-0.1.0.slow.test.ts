/**
 * Files that version 0.1.0 wrote: a review of examples/checkout.diff by a rehearsal, a result in which nothing was reviewed, a consult,
 * a workflow that waits for an answer, and a conversation.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { scriptOf } from '../../contract/workflow/workflow-script.ts';
import { example, repository, test, type Place } from '../place.ts';
import { project } from '../run-project.ts';

const run = '20261122-214425-q5aa';
const consult = '20261123-041410-948u';
const workflow = '20261123-041410-388h';
const conversation = '20261123-041411-h6bb';
const fixtures = join(repository, 'test/fixtures/version-0.1.0');
const kept = (name: string): string => readFileSync(join(fixtures, name), 'utf8');
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
    expect(runs.stdout).toContain(`${run}  findings `);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('findings — 2 findings') });
    expect(checked.stdout).toMatch(/, 0 violations\n$/);
    expect(sarif).toMatchObject({ code: 0, stdout: expect.stringContaining('"ruleId"') });
  });

  test('its findings work as a baseline', async ({ place, expect }) => {
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

  test('a result of nothing reviewed that was called clean is not called clean again', async ({
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

  test('an unfinished run that has only started is completed', async ({ place, expect }) => {
    putRun(place, 1);
    const resumed = await place.collab(['resume', run]);
    expect(resumed).toMatchObject({ code: 1, stdout: expect.stringContaining(': The total is rounded') });
  });

  // The input of a step holds the folder of the run, which is another one here.
  test.for([7, 17, 18])(
    'an unfinished run of %i records from elsewhere ends with a clear message',
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

  test('an ended consult and a waiting workflow are listed, shown and checked', async ({ place, expect }) => {
    project(place);
    putFolder(place, 'consult', `runs/${consult}`);
    putFolder(place, 'workflow', `runs/${workflow}`);
    const [runs, settled, prompt, waiting, ...checked] = await Promise.all([
      place.collab(['runs']),
      place.collab(['show', consult]),
      place.collab(['show', consult, '--prompt', '1']),
      place.collab(['show', workflow]),
      place.collab(['check', consult]),
      place.collab(['check', workflow]),
    ]);
    expect(runs.stdout).toContain(`${consult}  settled `);
    expect(runs.stdout).toContain(`${workflow}  waiting `);
    expect(settled).toMatchObject({ code: 0, stdout: expect.stringContaining('Build it in `src/one.js`.') });
    expect(prompt.stdout).toContain('[CONSULT:DESIGN]');
    expect(waiting).toMatchObject({ code: 10, stdout: expect.stringContaining('1. Which version?') });
    for (const { stdout } of checked) expect(stdout).toMatch(/, 0 violations\n$/);
  });

  test.for([
    ['consult', consult, 0, 'settled — 4 sections'],
    ['workflow', workflow, 10, `collab answer ${workflow} --file -`],
  ] as const)(
    'an unfinished %s that has only begun goes on',
    async ([kind, id, code, said], { place, expect }) => {
      project(place);
      putFolder(place, kind, `runs/${id}`, 1);
      const resumed = await place.collab(['resume', id]);
      expect([resumed.code, `${resumed.stdout}${resumed.stderr}`]).toEqual([
        code,
        expect.stringContaining(said),
      ]);
    },
  );

  // The input of a step holds the folder of the run, which is another one here.
  test.for([
    ['consult', consult, 3, ['resume', consult]],
    ['consult', consult, 10, ['resume', consult]],
    ['workflow', workflow, 5, ['resume', workflow]],
    ['workflow', workflow, 20, ['resume', workflow]],
    ['workflow', workflow, Infinity, ['answer', workflow, '--file', '-']],
  ] as const)(
    'a %s from elsewhere ends with a sentence',
    async ([kind, id, count, args], { place, expect }) => {
      project(place);
      putFolder(place, kind, `runs/${id}`, count);
      const ended = await place.collab(args, { input: '1. The next one.\n' });
      expect([ended.code, ended.stderr]).toEqual([
        4,
        expect.stringMatching(
          /collab: The step \w+ has another input than before\n {2}The run was started with other code or other input; start a new one\.\n$/,
        ),
      ]);
    },
  );

  test('a conversation can be continued', async ({ place, expect }) => {
    project(place);
    putFolder(place, 'conversation', `conversations/${conversation}`);
    const args = ['chat', '--resume', conversation, '--lead', 'rehearsal'];
    const resumed = await place.collab(args, { input: '/history\nhello again\n' });
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('I am a rehearsal') });
    const history = place.read(`.collab/conversations/${conversation}/history.json`);
    expect(history.match(/"content": "hello(?: again)?"/g)).toEqual([
      '"content": "hello"',
      '"content": "hello again"',
    ]);
  });

  test('a configuration stays valid, except for the choice of agents', async ({ place, expect }) => {
    const own = 'language: en\nfail_on: important\nexclude: ["src/checkout/**"]\n';
    place.write('collab.config.yaml', own);
    const args = ['review', example('checkout.diff'), '--advisor', 'static_review'];
    expect((await place.collab(args)).stdout).toContain(
      'src/checkout/payment.ts: excluded by the repository',
    );
    place.write('collab.config.yaml', `${own}advisor: codex\n`);
    expect(await place.collab(['review'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^collab: collab\.config\.yaml:4:10: advisor: a file of the repository does not set this\n {2}Set it yourself: --advisor codex/,
      ),
    });
  });
});

/** A run or a conversation as a process of 0.1.0 left it after `count` of its records. */
function putFolder(place: Place, name: string, target: string, count = Infinity): void {
  place.write('scripts/pair.yaml', stringify(scriptOf()));
  for (const entry of readdirSync(join(fixtures, name), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name).slice(fixtures.length + 1);
    const text = kept(path).replaceAll('/home/user/project', place.folder);
    place.write(join('.collab', target, path.slice(name.length + 1)), text);
  }
  const journal = `.collab/${target}/journal.jsonl`;
  const lines = place.read(journal).trimEnd().split('\n').slice(0, count);
  place.write(journal, lines.map((line) => `${line}\n`).join(''));
  if (count < Infinity) rmSync(join(place.folder, '.collab', target, 'result.json'));
}

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
