// Changes a room's code in every place that Stryker knows (mutants) and looks whether its fast tests notice: npm run test:mutants --
// [--room <name>] [--sample <count> [--seed <text>]]. Without --room, all rooms follow each other. A sample judges that many of the
// room's mutants, drawn by the seed; its report says "not drawn" for others in the same places, which its score leaves out.
// A whole room reuses the results of its last run for code and tests that have not changed. Reports are in reports/mutation/<room>.
// The exit code is 1 if a room's score is below its threshold.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import picomatch from 'picomatch';
import { drawPlaces } from './draw-mutants.mjs';

/** The rooms that only decide. Their code that runs when it is loaded is judged too, by all tests again for each mutant. */
const deciding = {
  tests: ['src/{config,parsers,machine,review}/**/*.test.ts'],
  least: 88,
  ignoreStatic: false,
};

/** A room with input and output: judged by those of the fast tests that load the mutated file, without the code that runs then. */
function wiring(folder, tests, files = [`src/${folder}/**/*.{ts,tsx}`]) {
  return { files, tests, least: 75, ignoreStatic: true };
}

/** Each room's mutated files, the tests that judge them, and the lowest score in percent. */
const rooms = {
  parsers: { files: ['src/parsers/**/*.ts'], ...deciding },
  machine: {
    files: [
      'src/machine/exchange/{exchange-machine,ladder,read-turn}.ts',
      'src/machine/lead/{lead-machine,read-lead-text,read-lead-turn}.ts',
      'src/machine/workflow/{workflow-context,workflow-endings}.ts',
    ],
    ...deciding,
  },
  review: { files: ['src/review/{outcome/outcome,census/census}.ts'], ...deciding },
  client: wiring('client', ['src/client/**/*.test.ts', 'src/server/streams/run-stream.*.test.ts']),
  loop: wiring('loop', ['src/loop/**/*.test.ts', 'src/runs/conversation/*.test.ts']),
  // Tests on a PostgreSQL, which are not fast, judge the other files of src/engine/postgres.
  engine: wiring(
    'engine',
    ['src/{engine,runs/engine}/**/*.test.ts', 'test/contract/engine/*.test.ts'],
    [
      'src/engine/{drive,journal,lock,store}/**/*.ts',
      'src/engine/postgres/{connect,group-commit,owner-requests}.ts',
    ],
  ),
  // The tests of test/server have a server in their own process, and take about a second each.
  server: wiring('server', ['src/server/**/*.test.ts', 'test/server/*.test.ts']),
  // Tests on a PostgreSQL judge the other two files.
  runs: wiring(
    'runs',
    ['src/{runs,server}/**/*.test.ts', 'test/server/*.test.ts', 'test/contract/workflow/*.test.ts'],
    ['src/runs/**/!(database-engine|worker).ts'],
  ),
  cli: wiring('cli', ['src/cli/**/*.test.ts']),
};

const { values } = parseArgs({
  options: {
    room: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
if (values.room !== undefined && !Object.hasOwn(rooms, values.room)) {
  throw new Error(`There is no room ${values.room}; the rooms are ${Object.keys(rooms).join(', ')}.`);
}
for (const room of values.room === undefined ? Object.keys(rooms) : [values.room]) await judge(room);

async function judge(room) {
  const { files, tests, least, ignoreStatic } = rooms[room];
  const { sample, seed } = values;
  const isWhole = sample === undefined;
  const drawn = { count: Number(sample), seed };
  const mutated = filesOf(files);
  const { places, total } = isWhole ? { places: mutated } : await drawPlaces(mutated, drawn);
  const folder = join('reports/mutation', room);
  const name = isWhole ? 'mutation' : 'sample';
  process.env['MUTANTS_OF_LOADING'] = ignoreStatic ? 'ignored' : 'judged';
  const results = await new Stryker({
    mutate: places,
    testFiles: tests,
    ignoreStatic,
    thresholds: { high: 90, low: least, break: least },
    incremental: isWhole,
    incrementalFile: join(folder, 'incremental.json'),
    htmlReporter: { fileName: join(folder, `${name}.html`) },
    jsonReporter: { fileName: join(folder, `${name}.json`) },
    ...(isWhole ? {} : { checkers: ['drawn'], drawn }),
  }).runMutationTest();
  process.stdout.write(
    [`${room}: ${summary(results)}`, ...(isWhole ? [] : [`drawn from ${total} by the seed "${seed}"`])].join(
      '; ',
    ) + '\n',
  );
}

function filesOf(globs) {
  const isMutated = picomatch(globs, {
    ignore: ['src/**/*.{test,test-helper}.{ts,tsx}', 'src/**/*-types.ts'],
  });
  return readdirSync('src', { recursive: true })
    .map((name) => join('src', name))
    .filter((file) => isMutated(file));
}

function summary(results) {
  const count = (status) => results.filter((result) => result.status === status).length;
  const [killed, late, unreached] = ['Killed', 'Timeout', 'NoCoverage'].map((status) => count(status));
  const judged = killed + late + count('Survived') + unreached;
  const percent = (part) => `${((100 * part) / judged).toFixed(1)} %`;
  return [
    `${killed + late} of ${judged} mutants noticed (${percent(killed + late)})`,
    `${late} of them by time alone (${percent(killed)} without them)`,
    `${unreached} are in code that no test runs`,
  ].join('; ');
}
