// Breaks the production code in places drawn by a seed and looks whether a test notices: npm run test:breaks -- [--count 60]
// [--seed <text>] [--agents] [--only <number>,…] [--list]. The seed is the hash of the checked-out commit unless one is named. Each
// break is made in a private copy of the commit: first the unit tests that load the broken file run, then `npm test`, then, with
// --agents, `npm run test:agents`. Writes reports/breaks.json; the exit code is 1 if fewer than four of five are noticed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
  },
});
const commit = git('rev-parse', 'HEAD').trim();
const seed = values.seed ?? commit;
const drawn = draw(productionFiles().flatMap(placesIn), Number(values.count));
const numbers = values.only?.split(',').map(Number) ?? drawn.map((_, index) => index + 1);

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
  return createHash('sha256').update([seed, file, start, end, after].join('\0')).digest('hex');
}

function judgeAll() {
  const copy = mkdtempSync(join(tmpdir(), 'collab-breaks-'));
  try {
    git('clone', '--quiet', '--no-hardlinks', root, copy);
    for (const folder of ['node_modules', 'test/agents/node_modules'])
      symlinkSync(join(root, folder), join(copy, folder));
    if (!passes(copy, ['npm', 'run', 'build'])) throw new Error('the unbroken commit cannot be built');
    const noticed = new Map();
    for (const { stage, command } of stages())
      for (const number of numbers.filter((one) => !noticed.has(one)))
        if (isNoticed(copy, drawn[number - 1], command)) {
          noticed.set(number, stage);
          process.stdout.write(`${told(number)}\n   ${stage}\n`);
        }
    report(noticed);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The tests that load the broken file come first; they are few. */
function stages() {
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs'];
  const agents = { stage: 'test:agents', command: () => ['npm', 'run', 'test:agents', '--', '--bail', '1'] };
  return [
    {
      stage: 'unit tests that load it',
      command: (file) => [...vitest, 'related', '--run', '--bail', '1', file],
    },
    { stage: 'npm test', command: () => ['npm', 'test', '--', '--bail', '1'] },
    ...(values.agents ? [agents] : []),
  ];
}

function isNoticed(copy, { file, start, end, after }, command) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, start) + after + text.slice(end));
  try {
    return !passes(copy, command(path));
  } finally {
    writeFileSync(path, text);
  }
}

function report(noticed) {
  const judged = numbers.map((number) => ({
    number,
    ...drawn[number - 1],
    noticed: noticed.get(number) ?? null,
  }));
  for (const { number } of judged.filter((one) => one.noticed === null))
    process.stdout.write(`survived: ${told(number)}\n`);
  const path = join(root, 'reports/breaks.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ commit, seed, judged }, null, 2)}\n`);
  process.stdout.write(`${noticed.size} of ${judged.length} breaks noticed (seed ${seed})\n`);
  process.exitCode = noticed.size * 5 >= judged.length * 4 ? 0 : 1;
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
function passes(cwd, [program, ...words]) {
  const { status, error } = spawnSync(program, words, { cwd, stdio: 'ignore', timeout: 60 * 60_000 });
  if (error !== undefined && error.code !== 'ETIMEDOUT') throw error;
  return status === 0;
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
