// Checks which numbered rules the tests name. `npm run rules` lists rules without a test and fails when a covered one has
// lost its test; `-- --write` records the covered rules; `-- --draw <seed>` names ten rules for trying out the tests.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const coveredPath = join(root, 'test/rules-covered.json');
const rules = readJson(join(root, 'test/rules.json'));
const { values } = parseArgs({ options: { write: { type: 'boolean' }, draw: { type: 'string' } } });

const titles = ['src', 'test'].flatMap(testFiles).flatMap(titlesIn);
const testsOf = (rule) => titles.filter((title) => title.rules.includes(rule));

if (values.draw !== undefined) draw(values.draw);
else if (values.write === true) record();
else report();

function report() {
  const open = Object.entries(rules).filter(([rule]) => testsOf(rule).length === 0);
  for (const [rule, title] of open) print(`no test names ${rule}: ${title}`);
  print(
    `${Object.keys(rules).length - open.length} of ${Object.keys(rules).length} rules are named by a test`,
  );
  const faults = [
    ...readJson(coveredPath)
      .filter((rule) => testsOf(rule).length === 0)
      .map((rule) => `${rule} has lost its test: ${rules[rule]}`),
    ...titles
      .filter((title) => title.rules.length > 3)
      .map((title) => `more than three rules: ${title.text}`),
    ...titles.flatMap((title) =>
      title.rules.filter(isUnknown).map((rule) => `no rule is ${rule}: ${title.text}`),
    ),
  ];
  for (const fault of faults) print(fault);
  if (faults.length > 0) process.exitCode = 1;
}

function record() {
  const covered = Object.keys(rules).filter((rule) => testsOf(rule).length > 0);
  writeFileSync(
    coveredPath,
    `${JSON.stringify([...new Set([...readJson(coveredPath), ...covered])], null, 2)}\n`,
  );
}

function draw(seed) {
  const order = (rule) => createHash('sha256').update(`${seed} ${rule}`).digest('hex');
  const drawn = Object.keys(rules).toSorted((left, right) => order(left).localeCompare(order(right)));
  for (const rule of drawn.slice(0, 10)) {
    print(`${rule}: ${rules[rule]}`);
    for (const { path, text } of testsOf(rule)) print(`  ${path}: ${text}`);
  }
}

/** Rules of the areas whose list is in test/rules.json; other areas are not built yet. */
function isUnknown(rule) {
  const area = rule.split('-')[0];
  return rules[rule] === undefined && Object.keys(rules).some((known) => known.startsWith(`${area}-`));
}

function testFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('node_modules'));
}

/** A test's title begins with its rules: any string literal in a test file that does so counts. */
function titlesIn(path) {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/(['"`])((?:(?:[RX]\d{3}|XB)-D?\d+[,:]? )+)((?:\\.|(?!\1)[^\\\n])*)\1/g)].map(
    (match) => ({
      path,
      text: match[2] + match[3],
      rules: match[2].match(/[RXB\d]+-D?\d+/g),
    }),
  );
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
