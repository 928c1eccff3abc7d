// Counts the clauses of `references/requirements.md` that the titles of tests name. `npm run rules` fails if a clause is neither named nor
// listed in `test/clauses.json`, or a rule neither named by a test that runs the packed program nor listed there; `-- --write` removes the
// entries of that file that a test names now; `-- --table` prints each rule with those tests; `-- --draw 5 [--seed <text>]` prints clauses
// with their tests, to break them by hand.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    write: { type: 'boolean' },
    table: { type: 'boolean' },
    draw: { type: 'string' },
    seed: { type: 'string' },
    root: { type: 'string', default: join(import.meta.dirname, '..') },
  },
});
const { root } = values;
const listPath = join(root, 'test/clauses.json');

const rules = rulesIn(readFileSync(join(root, 'references/requirements.md'), 'utf8'));
const clauses = new Map(rules.flatMap((rule) => rule.clauses.map((clause) => [clause, rule])));
const titles = ['src', 'test', 'web/src'].flatMap(testFiles).flatMap(titlesIn);
const named = new Set(titles.flatMap((title) => title.clauses));
const { impossible, unproved, inProcess } = JSON.parse(readFileSync(listPath, 'utf8'));
/** Files by whether they run the packed program: the first two do, others by importing one that does. */
const packed = new Map([
  ['test/packed/packed-collab.ts', true],
  ['test/browser/client/bundled-page.ts', true],
]);
const lived = livedTests();

if (values.table === true) table();
else if (values.draw !== undefined) draw(Number(values.draw), values.seed ?? randomBytes(4).toString('hex'));
else if (values.write === true) shorten();
else report();

function report() {
  const listed = [...Object.keys(impossible), ...unproved];
  const open = [...clauses.keys()].filter((clause) => !named.has(clause) && !listed.includes(clause));
  const faults = [
    ...rules.flatMap((rule) => rule.faults),
    ...open.map((clause) => `no test names ${clause}: ${clauses.get(clause).text}`),
    ...listed
      .filter((clause) => !clauses.has(clause))
      .map((clause) => `test/clauses.json: no clause ${clause}`),
    ...listed
      .filter((clause) => named.has(clause))
      .map((clause) => `test/clauses.json lists ${clause}, which a test names: npm run rules -- --write`),
    ...rules
      .filter(({ name }) => !lived.has(name) && inProcess[name] === undefined)
      .map(({ name, text }) => `no test of the packed program names ${name}: ${text}`),
    ...Object.keys(inProcess)
      .filter((name) => !rules.some((rule) => rule.name === name))
      .map((name) => `test/clauses.json: no rule ${name}`),
    ...Object.keys(inProcess)
      .filter((name) => lived.has(name))
      .map(
        (name) =>
          `test/clauses.json lists ${name}, which a test of the packed program names: npm run rules -- --write`,
      ),
    ...titles.filter((title) => title.ruleCount > 3).map(({ text }) => `more than three rules: ${text}`),
    ...titles.flatMap(({ unknown, text }) => unknown.map((name) => `no clause ${name}: ${text}`)),
  ];
  for (const fault of faults) print(fault);
  const covered = [...clauses.keys()].filter((clause) => named.has(clause)).length;
  print(
    `${covered} of ${clauses.size} clauses of ${rules.length} rules are named by a test; ` +
      `${unproved.length} are unproved, ${Object.keys(impossible).length} have no test for a reason`,
  );
  print(
    `${lived.size} of ${rules.length} rules are named by a test of the packed program; ` +
      `${Object.keys(inProcess).length} have none for a reason`,
  );
  if (faults.length > 0) process.exitCode = 1;
}

/** Each rule with the tests that prove it on the packed program, or the reason for none. */
function table() {
  for (const { name } of rules) {
    const proofs = (lived.get(name) ?? []).map(({ path, text }) => `\n  ${path}: ${text}`);
    print(`${name}: ${proofs.length > 0 ? proofs.join('').trimStart() : (inProcess[name] ?? 'NONE')}`);
  }
}

/** The titles of tests of the packed program, by the name of a rule. */
function livedTests() {
  const found = new Map();
  for (const title of titles.filter(({ path }) => runsPacked(path)))
    for (const name of new Set(title.clauses.map((clause) => clause.split('.')[0])))
      found.set(name, [...(found.get(name) ?? []), title]);
  return found;
}

/** Follows relative imports of values. */
function runsPacked(path) {
  const known = packed.get(path);
  if (known !== undefined) return known;
  packed.set(path, false);
  if (!existsSync(join(root, path))) return false;
  const text = readFileSync(join(root, path), 'utf8');
  const imports = [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm)];
  const runs = imports.some(([, name]) => runsPacked(join(dirname(path), name)));
  packed.set(path, runs);
  return runs;
}

/** Removes entries only: the lists may not grow. */
function shorten() {
  const left = {
    impossible: Object.fromEntries(Object.entries(impossible).filter(([clause]) => !named.has(clause))),
    unproved: unproved.filter((clause) => !named.has(clause)),
    inProcess: Object.fromEntries(Object.entries(inProcess).filter(([name]) => !lived.has(name))),
  };
  writeFileSync(listPath, `${JSON.stringify(left, null, 2)}\n`);
}

function draw(count, seed) {
  if (!Number.isInteger(count) || count < 1) {
    print(`--draw ${values.draw} is not a number of clauses: npm run rules -- --draw 5`);
    process.exitCode = 1;
    return;
  }
  print(`seed ${seed}`);
  const order = (clause) => createHash('sha256').update(`${seed} ${clause}`).digest('hex');
  const drawn = [...clauses.keys()].toSorted((left, right) => order(left).localeCompare(order(right)));
  for (const clause of drawn.slice(0, count)) {
    print(`\n${clause} of: ${clauses.get(clause).text}`);
    for (const { path, text } of titles.filter((title) => title.clauses.includes(clause)))
      print(`  ${path}: ${text}`);
  }
}

/** A rule is a list item or a table row that begins with its number; its clauses begin with ①, ②, …. */
function rulesIn(text) {
  return [...text.matchAll(/^(?:- |\| )((?:[RX]\d{3}|XB)-D?\d+) (.*(?:\n(?![-#|]|\n).*)*)/gm)].map(
    ([, name, body]) => {
      const numbers = [...withoutNote(body).matchAll(/[①-⑳]/g)].map(
        ([sign]) => sign.charCodeAt(0) - '①'.charCodeAt(0) + 1,
      );
      const inOrder = numbers.every((number, index) => number === index + 1) && numbers.length !== 1;
      return {
        name,
        text: body.replace(/^\| | \|$/g, ''),
        clauses: numbers.length === 0 ? [name] : numbers.map((number) => `${name}.${number}`),
        faults: inOrder ? [] : [`${name}: its clauses are not numbered ①, ②, …`],
      };
    },
  );
}

/** A note about a later decision names clauses by their signs. */
function withoutNote(body) {
  return body.replace(/\*\[(?:[①-⑳]).*/s, '');
}

/** A suite that several test files share is a `-contract.ts`. */
function testFiles(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => /(?:\.test|-contract)\.tsx?$/.test(path) && !path.includes('node_modules'));
}

/** Any string literal in a test file that begins with names of rules or clauses is a title. */
function titlesIn(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const literals =
    /(['"`])((?:(?:[RX]\d{3}|XB)-D?\d+(?:\.\d+(?:[-,]\d+)*)?[,:]? )+)((?:\\.|(?!\1)[^\\\n])*)\1/g;
  return [...text.matchAll(literals)].map(([, , head, rest]) => {
    const names = head.match(/(?:[RX]\d{3}|XB)-D?\d+(?:\.\d+(?:[-,]\d+)*)?/g);
    const all = names.flatMap(clausesNamed);
    return {
      path,
      text: head + rest,
      ruleCount: names.length,
      clauses: all.filter((clause) => clauses.has(clause)),
      unknown: all.filter((clause) => !clauses.has(clause)),
    };
  });
}

/** `R000-8` names all clauses of its rule, `R000-8.1-3,5` four of them. */
function clausesNamed(name) {
  const [rule, numbers] = name.split('.');
  if (numbers === undefined) {
    const all = [...clauses.keys()].filter((clause) => clause.split('.')[0] === rule);
    return all.length === 0 ? [rule] : all;
  }
  return numbers.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `${rule}.${first + index}`);
  });
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
