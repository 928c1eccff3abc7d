/**
 * The lists of a folder with 10,000 runs that have ended, each its own conversation: `collab runs`, and the routes of
 * `collab serve`. The first list reads each run, the next ones read the index. `node bench/runs.mjs --listed 10000 --runs 5`
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countFrom, heading, interleave, medianOf, ms, ratio, row, runsFrom, timed } from './measure.mjs';

const program = join(import.meta.dirname, '../bin/collab');
if (process.argv.includes('--help')) {
  process.stdout.write('node bench/runs.mjs [--listed <runs in the folder, 10000>] [--runs <rounds, 5>]\n');
  process.exit(0);
}
const count = countFrom(process.argv, '--listed', 10_000);
const rounds = runsFrom(process.argv, 5);
const folder = mkdtempSync(join(tmpdir(), 'collab-bench-runs-'));
const runs = join(folder, '.collab/runs');
const node = (...args) =>
  execFileSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: 'pipe',
  });
const collabRuns = () => {
  const lines = node(program, 'runs').trimEnd().split('\n').length;
  if (lines !== count) throw new Error(`${lines} of ${count} runs were listed`);
};

try {
  writeFileSync(join(folder, 'a.diff'), '--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-a\n+b\n');
  node(program, 'review', 'a.diff', '--advisor', 'static_review');
  copyRun(readdirSync(runs)[0]);
  heading(`lists of ${count} runs, beside bare Node's start`);
  await server('first lists of a server');
  await server('first lists of the next server');
  row('first `collab runs`', ms((await timed(collabRuns)).wallMs));
  const figures = await interleave(
    { node: () => timed(() => node('-e', '0')), runs: () => timed(collabRuns) },
    rounds,
  );
  const [bare, listed] = [medianOf(figures.node, 'wallMs'), medianOf(figures.runs, 'wallMs')];
  row('`collab runs` from the index', ms(listed), ratio(listed / bare), `target ${ms(1000)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes the other runs as copies of one, each with its own id and conversation. */
function copyRun(one) {
  const names = ['input.json', 'journal.jsonl', 'lock.1', 'result.json', 'transcript.md'];
  const files = names.map((name) => [name, readFileSync(join(runs, one, name), 'utf8')]);
  for (let index = 1; index < count; index += 1) {
    const second = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString().replaceAll(/[-:]/g, '');
    const id = `${second.slice(0, 8)}-${second.slice(9, 15)}-abcd`;
    mkdirSync(join(runs, id));
    for (const [name, text] of files) writeFileSync(join(runs, id, name), text.replaceAll(one, id));
  }
}

async function read(url) {
  return (await fetch(url)).json();
}

/** The lists of a server that has just started: the first request of each kind, and the median of the next ones. */
async function server(title) {
  const serving = spawn(process.execPath, [program, 'serve', '--advisor', 'static_review', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const at = `${await addressOf(serving)}/api/tenants/local/conversations`;
    const first = await timed(() => read(at));
    const { conversations } = await read(at);
    const routes = {
      conversations: () => timed(() => read(at)),
      runs: () => timed(() => read(`${at}/${conversations[0].conversation_id}/runs`)),
      health: () => timed(() => read(new URL('/api/health', at))),
    };
    const figures = await interleave(routes, rounds);
    const health = medianOf(figures.health, 'wallMs');
    row(title, ms(first.wallMs), `target ${ms(1000)}`);
    for (const name of ['conversations', 'runs']) {
      const wallMs = medianOf(figures[name], 'wallMs');
      row(`  GET …/${name}, later`, ms(wallMs), `${ratio(wallMs / health)} of /api/health`);
    }
  } finally {
    const ended = new Promise((resolve) => serving.once('exit', resolve));
    serving.kill('SIGTERM');
    await ended;
  }
}

function addressOf({ stdout, stderr }) {
  return new Promise((resolve) => {
    let said = '';
    const hear = (chunk) => {
      said += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (address !== undefined) resolve(address);
    };
    stdout.on('data', hear);
    stderr.on('data', hear);
  });
}
