// Breaks the production code in places drawn by a seed and looks whether a test notices: npm run test:breaks -- [--count 60]
// [--seed <text>] [--agents] [--only <number>,…] [--list] [--before <program>] [--results <file>]. The seed is the hash of the
// checked-out commit unless one is named. The breaks are made in a private copy of the commit, first before the test files that are
// nearest by imports, as many breaks at a time as no test of another one loads. The breaks that are left are made together: the whole
// `npm test` runs once, and
// each break then runs alone against the test files that failed, because a test that passed with all of them would pass with each.
// With --agents, `npm run test:agents` follows in the same way. A stopped judgment resumes from its results file, which is kept outside
// the checkout; reports/breaks.json gets a copy. --before is put before each run of the tests (nice, a lock). The exit code is 1 if fewer
// than four of five breaks are noticed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Lang, parse } from '@ast-grep/napi';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string' },
    only: { type: 'string' },
    agents: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    before: { type: 'string' },
    results: { type: 'string' },
  },
});
const commit = git('rev-parse', 'HEAD').trim();
const seed = values.seed ?? commit;
const drawn = draw(productionFiles().flatMap(placesIn), Number(values.count));
const numbers = values.only?.split(',').map(Number) ?? drawn.map((_, index) => index + 1);

/** Six test files end within seconds. */
const nearestLimitMs = 5 * 60_000;
const resultsPath = values.results ?? join(tmpdir(), `collab-breaks-${rankOfText(seed).slice(0, 12)}.json`);

if (values.list) for (const number of numbers) process.stdout.write(`${told(number)}\n`);
else judgeAll();

/** Swapped operators. Numbers and texts stay: most are wording, or limits without an exact value. */
function swapped(operator) {
  const swaps = {
    '&&': '||',
    '||': '&&',
    '===': '!==',
    '!==': '===',
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
  };
  return swaps[operator] ?? null;
}

/** The operators: a node's kind and the text that takes its place, null for none. */
function operators() {
  return [
    ['binary_expression', 'operator', (node) => (node ? swapped(node.text()) : null)],
    ['if_statement', 'condition', (node) => `(!${node.text()})`],
    ['ternary_expression', 'condition', (node) => `!(${node.text()})`],
    ['true', null, () => 'false'],
    ['false', null, () => 'true'],
    ['expression_statement', null, (node) => (isCall(node) ? ';' : null)],
    ['spread_element', null, (node) => (isWithin(node, ['object', 'array']) ? '...[]' : null)],
    ['pair', null, (node) => (isWithin(node, ['object']) ? '...{}' : null)],
    ['unary_expression', null, (node) => (node.text().startsWith('!') ? node.text().slice(1) : null)],
  ];
}

function isCall(statement) {
  const [first] = statement.children();
  const called = first?.kind() === 'await_expression' ? first.child(1) : first;
  return called?.kind() === 'call_expression' && !called.text().startsWith('super(');
}

function isWithin(node, kinds) {
  return kinds.includes(node.parent()?.kind());
}

function productionFiles() {
  return git('ls-files', 'src', 'web/src', 'action')
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|test-helper|d)\.tsx?$/.test(file));
}

function placesIn(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const tree = parse(file.endsWith('x') ? Lang.Tsx : Lang.TypeScript, text).root();
  return operators().flatMap(([kind, field, change]) =>
    tree.findAll({ rule: { kind } }).flatMap((found) => {
      const node = field === null ? found : found.field(field);
      const after = node === null ? null : change(node);
      if (after === null || isType(node)) return [];
      const { start, end } = node.range();
      return [{ file, line: start.line + 1, start: start.index, end: end.index, before: node.text(), after }];
    }),
  );
}

/** `true` in a type is no value. */
function isType(node) {
  return node
    .ancestors()
    .some((above) => above.kind().includes('type') || above.kind() === 'enum_declaration');
}

/** Every place has the same chance. */
function draw(places, count) {
  const ranked = places.map((place) => [rankOf(place), place]);
  return ranked
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .slice(0, count)
    .map(([, place]) => place);
}

function rankOf({ file, start, end, after }) {
  return rankOfText([seed, file, start, end, after].join('\0'));
}

function rankOfText(text) {
  return createHash('sha256').update(text).digest('hex');
}

function judgeAll() {
  const copy = mkdtempSync(join(tmpdir(), 'collab-breaks-'));
  const results = readResults();
  try {
    git('clone', '--quiet', '--no-hardlinks', root, copy);
    for (const folder of ['node_modules', 'test/agents/node_modules'])
      symlinkSync(join(root, folder), join(copy, folder));
    if (built(copy) !== null) throw new Error('the unbroken commit cannot be built');
    judgeNearest(copy, results, 'nearest tests');
    judgeTogether(copy, results, 'npm test', 'vitest.config.ts');
    if (values.agents) judgeTogether(copy, results, 'test:agents', 'vitest.agents.config.ts');
    report(results);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The breaks that no stage noticed and this one has not judged. */
function open(results, stage) {
  return numbers.filter((number) => {
    const { noticed = null, passed = [] } = results[number] ?? {};
    return noticed === null && !passed.includes(stage);
  });
}

/** A failed test belongs to the one break that it loads. */
function judgeNearest(copy, results, stage) {
  const loads = createGraph();
  const waiting = open(results, stage).map((number) => {
    const tests = nearestTests(loads, drawn[number - 1].file);
    return { number, tests, loaded: new Set(tests.flatMap((test) => [...loads.closure(test)])) };
  });
  for (const group of groupsOf(waiting)) judgeGroup(copy, results, stage, group);
}

/** A run that has no result for each file, because a break hangs or crashes it, is repeated with each break alone. */
function judgeGroup(copy, results, stage, group) {
  const tests = [...new Set(group.flatMap((one) => one.tests))];
  const broken = group.map(({ number }) => number);
  const failed =
    tests.length === 0
      ? []
      : withBreaks(copy, broken, () => runTests(copy, tests, { limitMs: nearestLimitMs }));
  if (group.length > 1 && failed.some(({ file }) => file === null)) {
    for (const one of group) judgeGroup(copy, results, stage, [one]);
    return;
  }
  for (const { number, tests: own } of group) {
    const found = group.length === 1 ? failed : failed.filter(({ file }) => own.includes(file));
    keep(results, number, stage, found);
  }
}

/** Breaks whose tests do not load each other's files, ten at most. */
function groupsOf(waiting) {
  const groups = [];
  for (const one of waiting) {
    const { file } = drawn[one.number - 1];
    const fits = (other) => !one.loaded.has(drawn[other.number - 1].file) && !other.loaded.has(file);
    const group = groups.find((others) => others.length < 10 && others.every(fits));
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups;
}

function judgeTogether(copy, results, stage, config) {
  for (let left = open(results, stage); left.length > 0; left = open(results, stage)) {
    const failed = withBreaks(copy, left, () => built(copy) ?? runTests(copy, [], { config }));
    const files = filesOf(failed, []);
    const flawed = files.length === 0 ? [] : filesOf(built(copy) ?? runTests(copy, files, { config }), []);
    const witnesses = files.filter((file) => !flawed.includes(file));
    const alone = (number) =>
      failed.length === 0 || (files.length > 0 && witnesses.length === 0)
        ? []
        : withBreaks(copy, [number], () => built(copy) ?? runTests(copy, witnesses, { config }));
    const before = left.length;
    const silent = left.filter((number) => {
      const found = alone(number);
      if (found.length > 0) keep(results, number, stage, found);
      return found.length === 0;
    });
    // A crash may hide what the other breaks do: they are tried again without the breaks that were noticed.
    if (silent.length === before || failed.length === 0)
      for (const number of silent) keep(results, number, stage, []);
  }
}

/** The build's failure, null if there is none. */
function built(copy) {
  const { status } = run(copy, [process.execPath, 'scripts/build.mjs']);
  return status === 0 ? null : [{ file: null, title: 'the build fails' }];
}

function filesOf(failed, otherwise) {
  const files = [...new Set(failed.flatMap(({ file }) => (file === null ? [] : [file])))];
  return files.length === 0 ? otherwise : files;
}

/** Runs test files, all if none is named. Returns the first failed test of each file; a run that ends badly is a failure, too. */
function runTests(copy, files, { config = 'vitest.config.ts', limitMs } = {}) {
  const reportPath = join(copy, 'breaks-report.json');
  rmSync(reportPath, { force: true });
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--config', config];
  const options = ['--passWithNoTests', '--reporter=json', `--outputFile=${reportPath}`];
  const { status } = run(copy, [...vitest, ...options, ...files], limitMs);
  const { testResults } = existsSync(reportPath)
    ? JSON.parse(readFileSync(reportPath, 'utf8'))
    : { testResults: [] };
  const failed = testResults
    .filter((file) => file.status === 'failed')
    .map(({ name, assertionResults }) => ({
      file: relative(copy, name),
      title:
        assertionResults.find((test) => test.status === 'failed')?.fullName ?? 'the file cannot be loaded',
    }));
  if (failed.length > 0 || status === 0) return failed;
  return [{ file: null, title: 'the run of the tests fails' }];
}

function withBreaks(copy, broken, use) {
  const kept = new Map();
  const latestFirst = broken
    .map((number) => drawn[number - 1])
    .toSorted((left, right) => right.start - left.start);
  try {
    for (const { file, start, end, after } of latestFirst) {
      const path = join(copy, file);
      const text = readFileSync(path, 'utf8');
      if (!kept.has(path)) kept.set(path, text);
      writeFileSync(path, text.slice(0, start) + after + text.slice(end));
    }
    return use();
  } finally {
    for (const [path, text] of kept) writeFileSync(path, text);
  }
}

/** The test files that the fewest imports separate from the file, six at most, those beside it first. */
function nearestTests({ importers }, file) {
  const found = [];
  let reached = [file];
  const seen = new Set(reached);
  while (reached.length > 0 && found.length < 6) {
    reached = reached.flatMap(importers).filter((path) => !seen.has(path) && seen.add(path));
    const tests = [...new Set(reached)].filter((path) => isUnitTest(path));
    found.push(...tests.toSorted((left, right) => isBeside(right, file) - isBeside(left, file)));
  }
  return found.slice(0, 6);
}

function isBeside(test, file) {
  return Number(dirname(test) === dirname(file));
}

/** The imports of the sources and tests, forwards with all that they load, and backwards. */
function createGraph() {
  const files = git('ls-files', 'src', 'web/src', 'action', 'test')
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && existsSync(join(root, path)));
  const imported = new Map(files.map((path) => [path, importsOf(path)]));
  const importers = new Map();
  for (const [path, targets] of imported)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path]);
  return {
    importers: (path) => importers.get(path) ?? [],
    closure(path) {
      const seen = new Set([path]);
      for (const one of seen) for (const target of imported.get(one) ?? []) seen.add(target);
      return seen;
    },
  };
}

/** A type is not loaded. */
function importsOf(path) {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/^(?:im|ex)port type [^;]*;/gm, '');
  return [...text.matchAll(/(?:from|import\(?) ?'(\.[^']+)'/g)].map(([, name]) => join(dirname(path), name));
}

function isUnitTest(path) {
  return /\.test\.tsx?$/.test(path) && !/\.(slow|changes|postgres)\.test\./.test(path) && !isAgentsTest(path);
}

function isAgentsTest(path) {
  return /^test\/(agents|browser|fixtures)\//.test(path);
}

/** Results of this seed and these places; a break is recognized by its place, so another `--count` can resume from them. */
function readResults() {
  if (!existsSync(resultsPath)) return {};
  const kept = JSON.parse(readFileSync(resultsPath, 'utf8'));
  const ofPlace = new Map(kept.judged.map((one) => [placeOf(one), one]));
  return Object.fromEntries(
    drawn.flatMap((place, index) => {
      const found = kept.commit === commit ? ofPlace.get(placeOf(place)) : undefined;
      return found === undefined ? [] : [[index + 1, { noticed: found.noticed, passed: found.passed }]];
    }),
  );
}

function placeOf({ file, start, end, after }) {
  return [file, start, end, after].join('\0');
}

function keep(results, number, stage, failed) {
  const { passed = [] } = results[number] ?? {};
  const [by] = failed;
  results[number] =
    by === undefined ? { noticed: null, passed: [...passed, stage] } : { noticed: { stage, ...by }, passed };
  write(resultsPath, results);
  process.stdout.write(
    `${told(number)}\n   ${by === undefined ? `passes: ${stage}` : `${stage}: ${by.file ?? ''} ${by.title}`}\n`,
  );
}

/** A stopped process leaves the older file or the newer one. */
function write(path, results) {
  const judged = numbers.map((number) => ({
    number,
    ...drawn[number - 1],
    noticed: null,
    passed: [],
    ...results[number],
  }));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify({ commit, seed, judged }, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

function report(results) {
  const silent = numbers.filter((number) => results[number].noticed === null);
  for (const number of silent) process.stdout.write(`survived: ${told(number)}\n`);
  write(join(root, 'reports/breaks.json'), results);
  const noticed = numbers.length - silent.length;
  process.stdout.write(`${noticed} of ${numbers.length} breaks noticed (seed ${seed})\n`);
  process.exitCode = noticed * 5 >= numbers.length * 4 ? 0 : 1;
}

function told(number) {
  const { file, line, before, after } = drawn[number - 1];
  return `${number}. ${file}:${line}: ${short(before)} -> ${short(after)}`;
}

function short(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 67)}...` : line;
}

/** A program that hangs does not pass. */
function run(cwd, words, limitMs = 60 * 60_000) {
  const [program, ...rest] = values.before === undefined ? words : [values.before, ...words];
  const { status, error } = spawnSync(program, rest, { cwd, stdio: 'ignore', timeout: limitMs });
  if (error !== undefined && error.code !== 'ETIMEDOUT') throw error;
  return { status };
}

function git(...words) {
  const { status, stdout, stderr } = spawnSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`git ${words[0]}: ${stderr}`);
  return stdout;
}
