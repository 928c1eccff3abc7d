// Measures the quality of reviews: reviews twenty changes with known faults and counts the found ones.
//   node bench/quality/run.mjs --advisor codex                        all changes; about twenty calls of the advisor
//   node bench/quality/run.mjs --advisor codex --out after.json       keeps the figures
//   node bench/quality/run.mjs --only 03-cache-lock,08-read-packet    some of them
//   node bench/quality/run.mjs --compare before.json after.json       two kept results; nothing is reviewed
// Further arguments after -- go to collab review: … -- --budget-tokens 40000
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compare, scoreChange, total } from './score.mjs';

const folder = join(import.meta.dirname, 'changes');
const collab = join(import.meta.dirname, '../../bin/collab');
const end = process.argv.indexOf('--', 2);
const own = end === -1 ? process.argv.slice(2) : process.argv.slice(2, end);
const further = end === -1 ? [] : process.argv.slice(end + 1);

const { values, positionals } = parseArgs({
  args: own,
  options: {
    advisor: { type: 'string', default: 'auto' },
    only: { type: 'string' },
    out: { type: 'string' },
    compare: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

if (values.compare) showDifference(...positionals.map((file) => JSON.parse(readFileSync(file, 'utf8'))));
else reviewAll();

function reviewAll() {
  const changes = [];
  for (const name of chosen()) {
    const change = review(name);
    changes.push(change);
    process.stdout.write(`${row(change)}\n`);
  }
  const result = { advisor: values.advisor, arguments: further, changes, total: total(changes) };
  process.stdout.write(`\n${renderTotal(result.total)}`);
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
  if (result.total.reviewed < changes.length) process.exitCode = 3;
}

function chosen() {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.diff'))
    .map((file) => file.replace('.diff', ''))
    .toSorted();
  if (values.only === undefined) return names;
  const wanted = values.only.split(',');
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`no such change: ${unknown.join(', ')}; there are ${names.join(', ')}`);
  return wanted;
}

/** In an empty folder, with the diff alone: only the prompt and the model matter. */
function review(name) {
  const place = mkdtempSync(join(tmpdir(), 'collab-quality-'));
  try {
    const report = join(place, 'result.json');
    const flags = [
      '--advisor',
      values.advisor,
      '--fail-on',
      'never',
      '--report',
      `json=${report}`,
      ...further,
    ];
    const diff = join(folder, `${name}.diff`);
    const { status, stderr } = spawnSync(process.execPath, [collab, 'review', diff, ...flags], {
      cwd: place,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (status === 2) throw new Error(stderr.trim());
    const result = JSON.parse(readFileSync(report, 'utf8'));
    const { faults } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    const { outcome, advisor, usage, cost_usd } = result;
    const tokens =
      usage.input + usage.output + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h;
    return { name, outcome, advisor, tokens, cost_usd, score: scoreChange(faults, result.findings) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function row({ name, outcome, score }) {
  const { faults, found, placed, graded, besides, missed } = score;
  const counts = `${found}/${faults} found, ${placed} placed, ${graded} graded, ${besides.length} besides`;
  const rest = missed.length === 0 ? '' : `\n${' '.repeat(24)}missed: ${missed.join('; ')}`;
  return `${name.padEnd(24)}${outcome.padEnd(12)}${counts}${rest}`;
}

function renderTotal({ changes, reviewed, recall, precision, lines, severity, quiet, tokens, cost_usd }) {
  const rows = {
    'reviewed as a whole': `${reviewed} of ${changes}`,
    'recall (known faults that were found)': percent(recall),
    'precision (findings that are a known fault)': percent(precision),
    'lines (found ones on the very lines)': percent(lines),
    'severity (found ones of a fitting grade)': percent(severity),
    'quiet (harmless changes that ended clean)': percent(quiet),
    tokens: tokens.toLocaleString('en-US'),
    cost: cost_usd === null ? 'unknown' : `$${cost_usd.toFixed(2)}`,
  };
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(46)}${value}\n`)
    .join('');
}

function percent(part) {
  return part === null ? 'nothing to count' : `${(part * 100).toFixed(0)} %`;
}

function showDifference(before, after) {
  if (after === undefined) throw new Error('--compare takes two files that --out wrote');
  for (const { name, won, lost, noise } of compare(before, after)) {
    const said = [
      ...won.map((fault) => `+ ${fault}`),
      ...lost.map((fault) => `- ${fault}`),
      ...(noise === 0 ? [] : [`${noise > 0 ? '+' : ''}${noise} findings besides`]),
    ];
    process.stdout.write(`${name}\n${said.map((line) => `  ${line}\n`).join('')}`);
  }
  process.stdout.write(`\nbefore\n${renderTotal(before.total)}\nafter\n${renderTotal(after.total)}`);
}
