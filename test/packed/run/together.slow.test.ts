/**
 * `collab run` in the background, many at the same time in one repository: none changes another's tree, or the user's.
 */
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { rounds, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { processesNaming } from '../../setup/process-table.ts';
import { test, type Place } from '../place.ts';
import { until } from '../started-command.ts';

const count = 10;
const hanging = [3, 7];

describe('ten detached runs at once', () => {
  test('are all found, each ends or is canceled, none touches another’s tree', async ({ place, expect }) => {
    repository(place);
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const runs = await Promise.all(numbers.map((number) => begin(place, number)));
    const listed = await place.collab(['runs', '--json']);
    expect(runIds(listed.stdout).toSorted()).toEqual(runs.toSorted());
    const ended = await Promise.all(
      numbers.map(async (number) => {
        const run = runs[number - 1] ?? '';
        if (!hanging.includes(number)) return (await place.collab(['wait', run, '--timeout', '4m'])).code;
        expect(await place.collab(['cancel', run])).toMatchObject({ code: 0 });
        return (await place.collab(['wait', run, '--timeout', '4m'])).code;
      }),
    );
    expect(ended).toEqual(numbers.map((number) => (hanging.includes(number) ? 3 : 0)));
    for (const number of numbers.filter((other) => !hanging.includes(other))) {
      const branch = `collab/${runs[number - 1]}`;
      expect(place.git('diff', '--name-only', 'main', branch)).toBe('src/one.js\n');
      expect(place.git('show', `${branch}:src/one.js`)).toBe(`export const one = ${number};\n`);
    }
    expect(place.git('status', '--porcelain', '--', '.')).toBe('');
    for (const run of runs)
      await until(`the end of the process of ${run}`, () => processesNaming(run).length === 0);
    const states = await place.collab(['runs', '--json']);
    expect(states.stdout.match(/"state": "ended"/g)).toHaveLength(count);
  }, 300_000);
});

async function begin(place: Place, number: number): Promise<string> {
  const script = hanging.includes(number)
    ? scriptOf({ when: { work: 'implement' }, fault: 'never', repeat: 'forever' })
    : scriptOf(rounds(1, `export const one = ${number};\n`, { delay_ms: 50 * number }));
  place.write(`scripts/${number}.yaml`, stringify({ ...script, call_log: `${number}.log` }));
  const agents = [
    '--lead',
    `rehearsal:scripts/${number}.yaml`,
    '--advisor',
    `rehearsal:scripts/${number}.yaml`,
  ];
  const { code, stdout, stderr } = await place.collab([
    'run',
    `Write one as ${number}.`,
    '--yes',
    '--detach',
    ...agents,
  ]);
  if (code !== 0) throw new Error(`run ${number} was not begun: ${stderr}`);
  return z.object({ run: z.string() }).parse(JSON.parse(stdout)).run;
}

function repository(place: Place): void {
  place.git('init', '-q');
  place.write('README.md', '# one\n');
  place.write('.gitignore', 'scripts/\n');
  place.git('add', '--all');
  place.git('commit', '-q', '-m', 'begin');
}

function runIds(json: string): readonly string[] {
  return z
    .array(z.object({ run: z.string() }))
    .parse(JSON.parse(json))
    .map(({ run }) => run);
}
