/** `collab demo` through the installed command: the pair at work on a script, in a throw-away project. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { scriptOf, rounds } from '../../contract/workflow/workflow-script.ts';
import { test, type Place } from '../place.ts';
import { recordsIn } from '../records-in.ts';
import { until } from '../started-command.ts';

describe.concurrent('collab demo', () => {
  test('runs all four phases, ends with 0 and says what to install for a real run', async ({
    place,
    expect,
  }) => {
    const { code, stdout, stderr } = await place.collab(['demo', '--no-pauses']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    for (const command of [
      'npm install --global @openai/codex',
      'npm install --global @anthropic-ai/claude-code@latest',
      'collab doctor',
    ]) {
      expect(stdout).toContain(command);
    }
    expect(stdout).toContain('- review 1: 1 critical finding\n  - review 2: no critical finding\n');
    expect(await seen(place)).toEqual({
      phases: ['requirements 1', 'design 1', 'implementation 1', 'review 1', 'implementation 2', 'review 2'],
      rejected: ['marker_absent repairing', 'incomplete completing'],
      answeredBack: ['lead'],
      criticals: 1,
      outcome: 'clean',
    });
  });

  test('is an ordinary run, and does not touch the current folder', async ({ place, expect }) => {
    place.git('init', '-q');
    place.write('mine.txt', 'mine\n');
    place.git('add', '--all');
    place.git('commit', '-q', '-m', 'mine');
    await place.collab(['demo', '--no-pauses']);
    expect(place.names().toSorted()).toEqual(['.collab', '.git', 'mine.txt']);
    expect(place.git('status', '--porcelain')).toBe('');
    expect(place.git('branch', '--list')).toBe('* main\n');
    expect(place.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    const run = place.lastRun();
    expect(readFileSync(join(run, 'project/src/split.js'), 'utf8')).toContain('leftOver');
    const [runs, shown, checked, resumed] = await Promise.all([
      place.collab(['runs']),
      place.collab(['show']),
      place.collab(['check']),
      place.collab(['resume']),
    ]);
    expect(runs.stdout).toMatch(/ clean +0 +0 +\d+ .* run: Add a function that splits a bill/);
    expect([shown.code, checked.code, resumed.code]).toEqual([0, 0, 0]);
    expect((await place.collab(['clean'])).code).toBe(0);
    expect(place.runs()).toEqual([]);
  });

  test('continues after kill -9', async ({ place, expect }) => {
    const started = place.start(['demo']);
    await until('the design', () => journal(place).includes('"phase":"design"'));
    started.kill('SIGKILL');
    await started.ended;
    expect((await place.collab(['status'])).stdout).toMatch(/interrupted/);
    const resumed = await place.collab(['resume']);
    expect(resumed).toMatchObject({ code: 0 });
    expect(await seen(place)).toMatchObject({ criticals: 1, outcome: 'clean' });
    expect((await place.collab(['check'])).code).toBe(0);
  }, 60_000);

  test('plays another script with its own project and task', async ({ place, expect }) => {
    const project = { task: 'Write one.', files: { 'README.md': '# one\n' } };
    place.write('mine.yaml', stringify({ ...scriptOf(rounds(1, 'export const one = 1;\n')), project }));
    expect(await place.collab(['demo', '--script', 'mine.yaml'])).toMatchObject({ code: 0 });
    const run = place.lastRun();
    expect(readFileSync(join(run, 'project/src/one.js'), 'utf8')).toBe('export const one = 1;\n');
    expect((await place.collab(['runs'])).stdout).toContain('Write one.');
    expect(place.read('calls.log')).toContain('begin lead_');
  });

  test('a faulty or missing script is refused with its place, and no run is left', async ({
    place,
    expect,
  }) => {
    place.write('wrong.yaml', 'turns:\n  - answr: hello\n');
    expect(await place.collab(['demo', '--script', 'wrong.yaml'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^collab: .*wrong\.yaml:2:5: turns\.0: Unrecognized key: "answr"\n {2}.+\n$/,
      ),
    });
    expect((await place.collab(['demo', '--script', 'none.yaml'])).code).toBe(2);
    expect(place.runs()).toEqual([]);
  });
});

async function seen(place: Place) {
  const { stdout } = await place.collab(['show', '--events']);
  const events = recordsIn(stdout);
  const of = (type: string) => events.filter((event) => event['type'] === type);
  return {
    phases: of('phase.ended').map(({ phase, round }) => `${String(phase)} ${String(round)}`),
    rejected: of('exchange.rejected').map(({ reason, action }) => `${String(reason)} ${String(action)}`),
    answeredBack: of('exchange.answered_back').map(({ by }) => by),
    criticals: of('finding.reported').filter(({ finding }) => JSON.stringify(finding).includes('"critical"'))
      .length,
    outcome: of('run.ended')[0]?.['outcome'],
  };
}

function journal(place: Place): string {
  const [run] = place.runs();
  try {
    return run === undefined ? '' : readFileSync(join(run, 'journal.jsonl'), 'utf8');
  } catch {
    // The review has not begun yet.
    return '';
  }
}
