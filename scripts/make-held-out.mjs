// Makes examples/held-out/ from examples/checkout.diff: the same faults under other names, in other files, on other
// lines, in other quotes, with the fixed version and the expected places of each. The same input gives the same files.
// The places are computed from the lines of the diff; no rule is used. ¶¶ node scripts/make-held-out.mjs [folder]
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { seededRandom } from './seeded-random.mjs';

const examples = join(import.meta.dirname, '../examples');
const folder = process.argv[2] ?? join(examples, 'held-out');

/** Each variant has a word for each of these, in this order; `secret` and `permission` keep their meaning. */
const words = [
  'checkout',
  'cart',
  'order',
  'coupon',
  'customer',
  'payment',
  'refund',
  'seller',
  'note',
  'items',
  'index',
  'tax',
  'secret',
  'permission',
  'ledger',
  'shop',
];
const variants = [
  {
    name: 'lending',
    seed: 11,
    folder: 'server',
    dialect:
      'desk basket loan voucher reader deposit payback branch remark books position vat token access register library'.split(
        ' ',
      ),
  },
  {
    name: 'ticketing',
    seed: 29,
    folder: 'packages/core/src',
    dialect:
      'booking selection ticket bonus visitor fare reversal promoter wish seats slot levy nonce role daybook theatre'.split(
        ' ',
      ),
  },
  {
    name: 'pharmacy',
    seed: 47,
    folder: 'app',
    dialect:
      'dispensary tray prescription rebate patient copayment reimbursement supplier advice packs offset duty salt scope accounts pharmacy'.split(
        ' ',
      ),
  },
];

mkdirSync(folder, { recursive: true });
for (const variant of variants) write(variant);

function write(variant) {
  const plan = planOf(variant);
  const bad = transform(readDiff('checkout.diff', faults()), plan);
  const fixed = transform(readDiff('checkout.fixed.diff', []), plan);
  save(`${variant.name}.diff`, renderDiff(bad));
  save(`${variant.name}.fixed.diff`, renderDiff(fixed));
  save(`${variant.name}.expected.json`, renderExpected(bad));
}

function faults() {
  return JSON.parse(readFileSync(join(examples, 'checkout.expected.json'), 'utf8'));
}

function save(name, text) {
  writeFileSync(join(folder, name), text);
}

// Choices made once for a variant and applied to both versions.

function planOf({ seed, folder: sources, dialect }) {
  const random = seededRandom(seed);
  const names = new Map(words.map((word, index) => [word, dialect[index]]));
  return {
    rename: (text) =>
      text.replace(new RegExp(words.join('|'), 'gi'), (word) =>
        likeCase(names.get(word.toLowerCase()), word),
      ),
    sources,
    order: derangement(8, random),
    fillers: Array.from({ length: 40 }, () => Math.floor(random() * 3)),
    gaps: Array.from({ length: 40 }, () => 4 + Math.floor(random() * 60)),
  };
}

/** Returns an order in which no item keeps its place. */
function derangement(size, random) {
  const order = Array.from({ length: size }, (_, index) => index);
  while (order.some((from, to) => from === to)) {
    for (let last = size - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [order[last], order[other]] = [order[other], order[last]];
    }
  }
  return order;
}

/** A word that occurs only in capitals is an SQL keyword. */
function likeCase(name, model) {
  if (model === model.toUpperCase()) return model;
  return model[0] === model[0].toUpperCase() ? name[0].toUpperCase() + name.slice(1) : name;
}

// The transformations.

function transform(files, plan) {
  moveHunks(files, plan.order);
  let hunkNumber = 0;
  for (const file of files) {
    file.path = renamePath(file.path, plan);
    for (const line of file.hunks.flat()) line.text = swapQuotes(plan.rename(line.text), extname(file.path));
    for (const lines of file.hunks) {
      addFillers(lines, plan.fillers[hunkNumber], file);
      lines.gap = plan.gaps[hunkNumber];
      hunkNumber += 1;
    }
  }
  return files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** Exchanges the hunks of the changed TypeScript files. */
function moveHunks(files, order) {
  const sources = files.filter(
    ({ path, isNew }) => !isNew && path.endsWith('.ts') && !/test|generated/.test(path),
  );
  const hunks = sources.flatMap((file) => file.hunks);
  if (hunks.length !== order.length)
    throw new Error(`${hunks.length} hunks to move, the plan has ${order.length}`);
  const moved = order.map((from) => hunks[from]);
  for (const file of sources) file.hunks = moved.splice(0, file.hunks.length);
}

function renamePath(path, { rename, sources }) {
  if (path === 'package-lock.json') return path;
  return rename(path.replace(/^src\//, `${sources}/`));
}

/** Changes only lines with one kind of quote, in pairs, that are not comments. */
function swapQuotes(text, extension) {
  const [from, to] = { '.ts': ["'", '"'], '.tsx': ["'", '"'], '.py': ['"', "'"] }[extension] ?? [];
  if (from === undefined || text.includes(to) || text.includes('`')) return text;
  if (/^\s*(\/\/|\/\*|\*|#)/.test(text) || text.split(from).length % 2 === 0) return text;
  return text.replaceAll(from, to);
}

/** Adds comments before the first added line, so that the lines below also move within the hunk. */
function addFillers(lines, count, { path }) {
  const prefix = { '.py': '#', '.sh': '#', '.yaml': '#', '.sql': '--' }[extname(path)] ?? '//';
  const first = lines.findIndex(({ kind }) => kind === '+');
  if (path.endsWith('.json') || /generated/.test(path) || first < 0) return;
  const indent = /^\s*/.exec(lines[first].text)[0];
  const fillers = Array.from({ length: count }, (_, index) => ({
    kind: '+',
    text: `${indent}${prefix} Agreed with the team, part ${index + 1} of ${count}.`,
  }));
  lines.splice(first, 0, ...fillers);
}

// Text → files and back.

function readDiff(name, expected) {
  const files = [];
  for (const row of readFileSync(join(examples, name), 'utf8').split('\n').slice(0, -1)) {
    const file = files.at(-1);
    const [, path] = /^diff --git a\/(\S+) /.exec(row) ?? [];
    if (path !== undefined) files.push({ path, isNew: false, hunks: [] });
    else if (row.startsWith('new file mode')) file.isNew = true;
    else if (row.startsWith('@@ ')) file.hunks.push(startHunk(row));
    else if (file.hunks.length > 0) file.hunks.at(-1).push(readLine(row, file, expected));
  }
  return files;
}

function startHunk(row) {
  const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(row);
  return Object.assign([], { next: { old: Number(oldStart), new: Number(newStart) } });
}

function readLine(row, file, expected) {
  const [kind, text] = [row[0], row.slice(1)];
  const { next } = file.hunks.at(-1);
  const side = kind === '-' ? 'old' : 'new';
  const found = expected.find(
    (fault) => fault.path === file.path && fault.side === side && fault.line === next[side],
  );
  if (kind !== '+') next.old += 1;
  if (kind !== '-') next.new += 1;
  return { kind, text, fault: kind === ' ' ? undefined : found };
}

function renderDiff(files) {
  return files.map(renderFile).join('');
}

function renderFile(file) {
  const body = numbered(file).map(renderHunk).join('');
  const blob = (side) => createHash('sha1').update(`${side} ${body}`).digest('hex').slice(0, 9);
  const head = file.isNew
    ? ['new file mode 100644', `index 000000000..${blob('new')}`, '--- /dev/null']
    : [`index ${blob('old')}..${blob('new')} 100644`, `--- a/${file.path}`];
  return `${[`diff --git a/${file.path} b/${file.path}`, ...head, `+++ b/${file.path}`].join('\n')}\n${body}`;
}

function renderHunk({ oldStart, newStart, lines }) {
  const count = (kinds) => lines.filter(({ kind }) => kinds.includes(kind)).length;
  const head = `@@ -${oldStart},${count(' -')} +${newStart},${count(' +')} @@`;
  return [head, ...lines.map(({ kind, text }) => kind + text), ''].join('\n');
}

/** Places the hunks of a file one below the other, each after its gap. */
function numbered({ path, hunks, isNew }) {
  let [oldLine, newLine] = [1, 1];
  return hunks.map((lines) => {
    // A generator's mark counts only at the top of its file.
    const gap = isNew || /generated/.test(path) ? 0 : lines.gap;
    const hunk = { oldStart: isNew ? 0 : oldLine + gap, newStart: newLine + gap, lines };
    oldLine += gap + lines.filter(({ kind }) => kind !== '+').length;
    newLine += gap + lines.filter(({ kind }) => kind !== '-').length;
    return hunk;
  });
}

function renderExpected(files) {
  const rows = files.flatMap((file) =>
    numbered(file).flatMap((hunk) => placesIn(posix.normalize(file.path), hunk)),
  );
  return `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`;
}

function placesIn(path, { oldStart, newStart, lines }) {
  let [oldLine, newLine] = [oldStart, newStart];
  return lines.flatMap(({ kind, fault }) => {
    const line = kind === '-' ? oldLine : newLine;
    if (kind !== '+') oldLine += 1;
    if (kind !== '-') newLine += 1;
    return fault === undefined
      ? []
      : [{ path, side: fault.side, line, severity: fault.severity, rule: fault.rule }];
  });
}
