/** The commands about a run, as installed: each command, with and without `--json`, and its refusals. */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe } from 'vitest';
import { z } from 'zod';
import type { PackedResult } from '../packed-collab.ts';
import { example, inPlace, test, type Place } from '../place.ts';

const ofRuns = ['resume', 'wait', 'cancel', 'apply', 'status', 'show', 'check'];
const asking = ['review', 'consult', 'answer'];
const commands = [...asking, ...ofRuns, 'runs', 'gate', 'report', 'clean', 'doctor', 'init', 'tools'];

describe.concurrent('collab', () => {
  test('alone says what it is, lists its commands and gives three to start with', async ({
    place,
    expect,
  }) => {
    const { code, stdout, stderr } = await place.collab([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replaceAll('\n', ' ')).toContain(
      'Two coding agents as a pair: Claude leads, Codex advises, and the outcome is honest.',
    );
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stdout.slice(stdout.indexOf('First steps:'))).toBe(
      [
        'First steps:',
        '  collab demo      watch a pair at work, offline, in fifteen seconds',
        '  collab review    review the changes of this repository',
        '  collab doctor    show which agents can work here, and what is missing',
        '\n',
      ].join('\n'),
    );
    expect(place.names()).toEqual([]);
  });

  test.for(commands)('%s --help has an example', async (command, { place, expect }) => {
    const { code, stdout, stderr } = await place.collab([command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`\nExamples?:\n  collab ${command}`));
  });

  test('tools lists commands with their permissions and parameters', async ({ place, expect }) => {
    place.write('collab.config.yaml', 'tools: { policy: { Bsh: deny, Edit: deny } }\n');
    const { code, stdout, stderr } = await place.collab(['tools']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Tool +Agent +You +Command\n/);
    expect(stdout).toMatch(
      /^Read +allow +allow +\/read <file_path> \[--offset <integer>\] \[--limit <integer>\]\n +Reads a text file/m,
    );
    expect(stdout).toMatch(/^Write +ask +allow /m);
    expect(stdout).toMatch(/^Edit +deny +allow /m);
    expect(stdout).not.toContain('WebFetch');
    expect(stderr).toBe('tools.policy: there is no tool Bsh; did you mean Bash?\n');
    const listed = z
      .array(z.looseObject({ name: z.string(), policy: z.looseObject({}), parameters: z.looseObject({}) }))
      .parse(JSON.parse((await place.collab(['tools', '--json'])).stdout));
    expect(listed.find(({ name }) => name === 'Edit')).toMatchObject({
      aliases: ['edit', 'fs.edit'],
      read_only: false,
      policy: { agent: 'deny', user: 'allow' },
      parameters: { type: 'object', required: ['file_path', 'old_string', 'new_string'] },
    });
    expect(place.names()).toEqual(['collab.config.yaml']);
  });

  test.for(ofRuns)('%s says that there is no run yet', async (command, { place, expect }) => {
    expect(await place.collab([command])).toEqual({
      code: 2,
      stdout: '',
      stderr: `collab: There is no run in ${place.folder}/.collab\n  collab review starts one.\n`,
    });
    expect(place.names()).toEqual([]);
  });
});

interface Reviewed extends Place {
  readonly run: string;
  readonly printed: PackedResult;
}

/** Tests that change nothing share one place, in which the example was reviewed by rules. */
const testOfRun = test.extend<{ $file: { reviewed: Reviewed } }>({
  reviewed: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) =>
      inPlace(async (place) => {
        const printed = await place.collab(reviewExample);
        await use({ ...place, printed, run: basename(place.lastRun()) });
      }),
    { scope: 'file' },
  ],
});

describe.concurrent('for a run that has ended', () => {
  testOfRun('runs and status say how it stands', async ({ reviewed, expect }) => {
    const { run } = reviewed;
    const facts = {
      run,
      kind: 'review',
      state: 'ended',
      outcome: 'findings',
      findings: { critical: 8, important: 9, minor: 1 },
      started_at: expect.stringMatching(/^20.*Z$/),
      ended_at: expect.stringMatching(/^20.*Z$/),
      tokens: 0,
      cost_usd: null,
      lead: null,
      advisor: { provider: 'static_review', model: null },
      subject: 'diff file checkout.diff',
    };
    const [runs, runsJson, status, statusJson] = await Promise.all([
      reviewed.collab(['runs']),
      reviewed.collab(['runs', '--json']),
      reviewed.collab(['status', run.slice(-4)]),
      reviewed.collab(['status', '--json']),
    ]);
    const row = `${run} +findings +8 +9 +1 +\\d+ \\w+ +[\\d.]+ s +- +review: diff file checkout.diff \\(static_review\\)`;
    expect(runs).toMatchObject({ code: 0, stderr: '' });
    expect(runs.stdout).toMatch(
      new RegExp(`^Run +Outcome +Crit +Imp +Min +Age +Time +Cost +What\\n${row}\\n$`),
    );
    expect(JSON.parse(runsJson.stdout)).toEqual([facts]);
    expect(status.stdout).toMatch(
      new RegExp(`^${run}\\n +state +ended\\n +outcome +findings\\n +review +diff file checkout.diff\\n`),
    );
    expect(status.stdout).toMatch(new RegExp(`\\n +next +see its result: collab show ${run}\\n$`));
    expect(JSON.parse(statusJson.stdout)).toEqual(facts);
  });

  testOfRun.for(ofRuns)('%s says that there is none of that name', async (command, { reviewed, expect }) => {
    expect(await reviewed.collab([command, 'nope'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `collab: There is no run nope; the newest is ${reviewed.run}\n  collab runs lists them.\n`,
    });
  });

  testOfRun('resume refuses a format that there is not', async ({ reviewed, expect }) => {
    const { code, stdout, stderr } = await reviewed.collab(['resume', '--format', 'xml']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Allowed choices are terminal, json, markdown, sarif, rdjson, github, gitlab.');
  });

  testOfRun(
    'show, wait and resume print what the review printed; show gives its result, events, prompts and work order',
    async ({ reviewed, expect }) => {
      const { run, printed } = reviewed;
      const reports = await Promise.all([
        reviewed.collab(['show']),
        reviewed.collab(['wait']),
        reviewed.collab(['resume']),
      ]);
      expect(reports.map(({ code, stdout }) => ({ code, same: stdout === printed.stdout }))).toEqual([
        { code: 0, same: true },
        { code: 1, same: true },
        { code: 1, same: true },
      ]);
      const [json, order, events, prompt, beyond] = await Promise.all([
        reviewed.collab(['show', '--json']),
        reviewed.collab(['show', '--as-prompt']),
        reviewed.collab(['show', '--events']),
        reviewed.collab(['show', '--prompt', '1']),
        reviewed.collab(['show', '--prompt', '2']),
      ]);
      expect(JSON.parse(json.stdout)).toEqual(JSON.parse(reviewed.read('result.json')));
      expect(order).toMatchObject({ code: 0, stderr: '' });
      expect(order.stdout).toMatch(/^A code review left .+\n[^]*\n## 1\. Critical: /);
      const types = events.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => z.object({ type: z.string() }).parse(JSON.parse(line)).type);
      expect([types[0], types.at(-1)]).toEqual(['run.started', 'run.ended']);
      expect(prompt.stdout).toContain('\n[REQUEST:REVIEW]\n');
      expect(prompt.stdout).toContain('+DELETE FROM carts;\n');
      expect(beyond).toEqual({
        code: 2,
        stdout: '',
        stderr: `collab: there is no prompt 2 in ${run}\n  prompts are numbered 1 to 1\n`,
      });
    },
  );

  testOfRun('check finds no law broken', async ({ reviewed, expect }) => {
    const { run } = reviewed;
    const [plain, json] = await Promise.all([
      reviewed.collab(['check']),
      reviewed.collab(['check', '--json']),
    ]);
    const { events } = z.object({ events: z.int() }).parse(JSON.parse(json.stdout));
    expect(plain).toEqual({ code: 0, stdout: `${run}: ${events} events, 0 violations\n`, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({ run, events, violations: [] });
  });

  testOfRun('gate judges its result again', async ({ reviewed, expect }) => {
    const gate = (...flags: readonly string[]) => reviewed.collab(['gate', 'result.json', ...flags]);
    const judged = await Promise.all([
      gate(),
      gate('--fail-on', 'minor'),
      gate('--fail-on', 'never'),
      gate('--fail-on', 'never', '--require', 'model'),
    ]);
    expect(judged.map(({ code, stdout }) => `${code} ${stdout}`)).toEqual([
      '1 refused: 8 of 18 findings at or above critical\n',
      '1 refused: 18 of 18 findings at or above minor\n',
      '0 passed: 18 findings\n',
      '3 refused: static checks only, no model looked\n',
    ]);
  });

  testOfRun('gate and report refuse what is no result', async ({ reviewed, expect }) => {
    reviewed.write('other.json', '{"schema":"something/v1"}');
    reviewed.write('torn.json', '{"schema":');
    const refusals = await Promise.all(
      ['gate', 'report'].flatMap((command) =>
        ['nowhere.json', 'other.json', 'torn.json'].map((file) => reviewed.collab([command, file])),
      ),
    );
    expect(refusals.map(({ code, stdout, stderr }) => `${code}${stdout} ${stderr.split('\n')[0]}`)).toEqual(
      ['gate', 'report'].flatMap(() => [
        '2 collab: nowhere.json cannot be read',
        '2 collab: other.json is not a result of collab: schema: Invalid input: expected "collab.review/v1" or "collab.consult/v1"',
        '2 collab: torn.json is not JSON',
      ]),
    );
  });

  testOfRun('report prints it in every format', async ({ reviewed, expect }) => {
    const print = (format: string) => reviewed.collab(['report', 'result.json', '--format', format]);
    const [terminal, json, markdown, another] = await Promise.all(
      ['terminal', 'json', 'markdown', 'xml'].map((format) => print(format)),
    );
    expect(terminal?.stdout).toContain('\nfindings — 18 findings: 8 critical, 9 important, 1 minor\n');
    expect(json?.stdout).toBe(reviewed.read('result.json'));
    expect(markdown?.stdout).toMatch(/^<!-- collab:review -->\n\n# Code review: findings — 18 findings/);
    expect(another).toMatchObject({ code: 2, stdout: '' });
    const forHosts = await Promise.all(
      ['sarif', 'rdjson', 'gitlab', 'github'].map((format) => print(format)),
    );
    expect(forHosts.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      forHosts.map(() => ({ code: 0, stderr: '' })),
    );
    const [sarif = '', rdjson = '', gitlab = '', github = ''] = forHosts.map(({ stdout }) => stdout);
    expect(
      [sarif.match(/"ruleId"/g), rdjson.match(/"message"/g), gitlab.match(/"description"/g)].map(
        (found) => found?.length,
      ),
    ).toEqual([18, 18, 18]);
    expect(github).toMatch(/^::error file=/);
    expect(github).toContain('\ncollab review: findings — 18 findings: 8 critical, 9 important, 1 minor\n');
  });

  test('a run with a damaged journal is in the list of all, and status says what is wrong', async ({
    place,
    expect,
  }) => {
    const review = ['review', example('harmless.diff'), '--advisor', 'static_review'];
    await Promise.all([place.collab(review), place.collab(review)]);
    const folder = place.lastRun();
    const run = basename(folder);
    writeFileSync(join(folder, 'journal.jsonl'), 'garbage\n');
    const { code, stdout } = await place.collab(['runs']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${run}  unreadable +- `, 'm'));
    expect(stdout.match(/ {2}clean {2}/g)).toHaveLength(1);
    const status = await place.collab(['status', run]);
    expect([status.code, status.stderr]).toEqual([4, expect.stringContaining('journal.jsonl:1 is not JSON')]);
  });

  test('cancel leaves it unchanged, and clean removes it', async ({ place, expect }) => {
    expect((await place.collab(['runs'])).stdout).toBe('no runs here\n');
    await place.collab(['review', example('harmless.diff'), '--advisor', place.rehearsal('pattern-1')]);
    const run = place.runs()[0]?.split('/').at(-1);
    expect(await place.collab(['cancel'])).toEqual({
      code: 0,
      stdout: `${run} has already ended\n`,
      stderr: '',
    });
    const said = [];
    for (const args of [['clean', '--dry-run'], ['clean'], ['clean']])
      said.push((await place.collab(args)).stdout);
    expect(said).toEqual([
      `would remove ${run} (ended)\n`,
      `removed ${run} (ended)\n`,
      'nothing to remove\n',
    ]);
    expect(place.runs()).toEqual([]);
  });
});

test('show --json of an unfinished run still prints its result', async ({ place, expect }) => {
  await place.collab(['review', example('harmless.diff'), '--advisor', place.rehearsal('pattern-1')]);
  const id = place.runs()[0]?.split('/').at(-1);
  const journal = place.read(`.collab/runs/${id}/journal.jsonl`).trim().split('\n').slice(0, 6);
  place.write(`.collab/runs/${id}/journal.jsonl`, `${journal.join('\n')}\n`);
  const result = JSON.parse(place.read(`.collab/runs/${id}/result.json`));
  place.write(`.collab/runs/${id}/result.json`, JSON.stringify({ ...result, state: 'interrupted' }));
  const { code, stdout, stderr } = await place.collab(['show', '--json']);
  expect({ code, stderr }).toEqual({ code: 4, stderr: `${id} is interrupted: collab status ${id}\n` });
  expect(JSON.parse(stdout)).toMatchObject({ run_id: id, state: 'interrupted' });
});

test('clean keeps an unreadable run, and says so', async ({ place, expect }) => {
  await place.collab(['review', example('harmless.diff'), '--advisor', place.rehearsal('pattern-1')]);
  const run = place.lastRun();
  const id = basename(run);
  place.write(`.collab/runs/${id}/journal.jsonl`, 'not a journal\n');
  const { code, stdout, stderr } = await place.collab(['clean']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'nothing to remove\n' });
  expect(stderr).toContain(`kept ${id}: `);
  expect(place.runs()).toEqual([run]);
});

describe.concurrent('standard output', () => {
  test.for([
    ['json', '--verbose'],
    ['json', '--ascii'],
    ['markdown', '--verbose'],
    ['sarif', '--verbose'],
    ['rdjson', '--ascii'],
    ['github', '--verbose'],
    ['gitlab', '--verbose'],
  ] as const)('holds the %s report and nothing else, with %s', async ([format, flag], { place, expect }) => {
    const advisor = place.rehearsal('pattern-2');
    const args = ['review', example('harmless.diff'), '--advisor', advisor, '--format', format, flag];
    const { code, stdout } = await place.collab([...args, '--report', `${format}=report`]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: place.read('report') });
  });

  test('X000-6.2 on a runner no text of the advisor is a command; annotations are, and the summary goes where the runner says', async ({
    place,
    expect,
  }) => {
    const answer =
      '::error::one\n##[add-path]two\n\n[RESPONSE:REVIEW]\n\n## STRENGTHS\n- ::error::three\n\n## ISSUES\n1. **::error::four** — `src/a.ts:1`\n\n::error::five\n\n## SUGGESTIONS\n::error::six\n';
    place.write('script.yaml', JSON.stringify({ agent: { name: 'Codex' }, turns: [{ answer }] }));
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: `${place.folder}/summary.md` };
    const args = ['review', example('harmless.diff'), '--advisor', 'rehearsal:script.yaml', '--verbose'];
    const { stdout, stderr } = await place.collab([...args, '--format', 'github'], { env });
    expect(commandsIn(stderr)).toEqual([]);
    expect(stderr).toContain(': :error::one\n## [add-path]two\n');
    expect(commandsIn(stdout)).toEqual([
      expect.stringMatching(
        /^::[a-z]+ (?:file=src\/a\.ts,)?title=[A-Z][a-z]+(?: \(assumed\))?%3A %3A %3Aerror%3A%3Afour::/,
      ),
    ]);
    expect(commandsIn(place.read('summary.md'))).toEqual([]);
    expect(place.read('summary.md')).toMatch(
      /^<!-- collab:review -->\n\n# Code review: findings — 1 finding outside the change\n/,
    );
  });

  test('has no escape sequence without a terminal, and --ascii leaves no emoji', async ({
    place,
    expect,
  }) => {
    const advisor = place.rehearsal('pattern-1');
    const args = ['review', example('harmless.diff'), '--advisor', advisor, '--verbose'];
    const [plain, ascii] = await Promise.all([place.collab(args), place.collab([...args, '--ascii'])]);
    // oxlint-disable-next-line no-control-regex
    expect(`${plain.stdout}${plain.stderr}${ascii.stdout}`).not.toMatch(/\u001b/);
    // oxlint-disable-next-line no-control-regex
    expect(`${ascii.stdout}${ascii.stderr}`).toMatch(/^[\u0000-\u007f]*$/);
  });
});

const reviewExample = [
  'review',
  example('checkout.diff'),
  '--advisor',
  'static_review',
  '--report',
  'json=result.json',
];

/** Lines that a runner would obey. */
function commandsIn(log: string): readonly string[] {
  return log.split('\n').filter((line) => /^\s*::|##\[/.test(line));
}
