/**
 * Workers and servers on a PostgreSQL of their own: two workers beside one, on calls that wait as an agent's do; a record and a
 * review beside the embedded engine; readers of a run at one server and at several.
 * `node bench/workers.mjs --runs 5 --call-ms 20000 --readers 2000 --servers 4`
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundle } from './bundle.mjs';
import { countFrom, heading, interleave, medianOf, ms, ratio, row, runsFrom, timed } from './measure.mjs';
import { collab, plainEnvironment, repository, runProgram } from './programs.mjs';
import { openReaders } from './run-readers.mjs';

if (process.argv.includes('--help')) {
  process.stdout.write(
    'node bench/workers.mjs [--runs <rounds, 5>] [--call-ms <length of a call, 20000>] [--readers <2000>] [--servers <4>] [--only two,review,record,readers]\n',
  );
  process.exit(0);
}
const rounds = runsFrom(process.argv, 5);
const callMs = countFrom(process.argv, '--call-ms', 20_000);
const readers = countFrom(process.argv, '--readers', 2000);
const most = countFrom(process.argv, '--servers', 4);
const source = async (path) => import(await bundle(join(repository, path)));
const { startPostgres } = await source('test/fixtures/postgres-cluster.ts');
const { openPostgresStore } = await source('src/engine/postgres/postgres-store.ts');
const { embeddedStore } = await source('src/engine/store/embedded-store.ts');

const root = mkdtempSync(join(tmpdir(), 'collab-bench-workers-'));
const cluster = await startPostgres({ syncs: true });
const database = await cluster.createDatabase();
const started = new Set();
const env = { ...plainEnvironment(), HOME: root, COLLAB_ENGINE: database };
/** One call, and four of them. */
const diff = join(repository, 'examples/harmless.diff');
const wideDiff = join(repository, 'examples/checkout.diff');

try {
  await runProgram([...collab, 'engine', 'migrate'], { cwd: root, env });
  const parts = { two: measureTwo, review: measureReview, record: measureRecord, readers: measureReaders };
  for (const part of chosen(Object.keys(parts))) await parts[part]();
} finally {
  for (const child of started) child.kill('SIGKILL');
  await cluster.remove();
  rmSync(root, { recursive: true, force: true });
}

function chosen(all) {
  const at = process.argv.indexOf('--only');
  return at < 0 ? all : process.argv[at + 1].split(',');
}

/**
 * Reviews whose calls wait and need no CPU, one at a time for each worker. They are submitted one after the other, while the first
 * ones are driven already. A short review before warms each worker up.
 */
async function measureTwo() {
  const reviews = 6;
  heading(`${reviews} reviews of one call of ${callMs} ms, one review at a time for each worker`);
  const figures = { one: [], two: [] };
  for (let round = 0; round < Math.ceil(rounds / 5); round += 1) {
    figures.one.push(await throughput(1, reviews));
    figures.two.push(await throughput(2, reviews));
  }
  const [one, two] = [medianOf(figures.one, 'wallMs'), medianOf(figures.two, 'wallMs')];
  showThroughput('one worker', figures.one);
  showThroughput('two workers', figures.two);
  const missed = one / two < 1.9 ? ', missed' : '';
  row('two ÷ one', `${(one / two).toFixed(2)} times as fast (target ≥ 1.9${missed})`);
}

/** The times in which no call waited, by the clock of the database. */
function showThroughput(name, figures) {
  const part = (key) => ms(medianOf(figures, key)).trim();
  row(
    name,
    ms(medianOf(figures, 'wallMs')),
    `until the first review is taken ${part('submitMs')}`,
    `one review without its call ${part('driveMs')}`,
    `between two reviews of a worker ${part('gapMs')}`,
    `until the last command ends ${part('followMs')}`,
  );
}

/** From the first submission until the last command that follows a review has ended; the workers are ready before. */
async function throughput(count, reviews) {
  const [advisor, brief] = [script('waits', { delay_ms: callMs }), script('at-once', {})];
  const workers = await Promise.all(Array.from({ length: count }, startWorker));
  await Promise.all(workers.map(async () => waitFor(await submit(brief))));
  const begunAt = Date.now();
  const ids = [];
  while (ids.length < reviews) ids.push(await submit(advisor));
  await Promise.all(ids.map(waitFor));
  const wallMs = Date.now() - begunAt;
  const parts = await partsOf(ids, { begunAt, endedAt: begunAt + wallMs, workers: count });
  await Promise.all(workers.map(end));
  return { wallMs, ...parts };
}

/** Splits the time from `begunAt` until `endedAt` by the rows of the reviews, which `workers` took in turns. */
async function partsOf(ids, { begunAt, endedAt, workers }) {
  const { pool, close } = await openPostgresStore(database);
  const { rows } = await pool.query(
    `select extract(epoch from task.taken_at)::float8 * 1000 as taken, extract(epoch from run.ended_at)::float8 * 1000 as ended
     from collab.run join collab.task on task.run_id = run.id where run.id = any($1)`,
    [ids],
  );
  await close();
  const driven = rows.reduce((sum, { taken, ended }) => sum + ended - taken, 0);
  const [first, last] = [
    Math.min(...rows.map(({ taken }) => taken)),
    Math.max(...rows.map(({ ended }) => ended)),
  ];
  return {
    submitMs: first - begunAt,
    driveMs: driven / ids.length - callMs,
    gapMs: (workers * (last - first) - driven) / (ids.length - workers),
    followMs: endedAt - last,
  };
}

/** A review that is answered at once: the command here, and the command with a worker that is ready. */
async function measureReview() {
  heading(`a review that is answered at once, ${rounds} interleaved rounds`);
  const advisor = script('at-once', {});
  const worker = await startWorker();
  const review = [...collab, 'review', diff, '--no-cache', '--advisor', advisor, '--format', 'json'];
  const figures = await interleave(
    {
      embedded: () => runProgram(review, { cwd: root, env }),
      postgres: async () => {
        const before = cpuOf(worker.pid);
        const figure = await runProgram([...review, '--remote'], { cwd: root, env });
        return { ...figure, workerMs: cpuOf(worker.pid) - before };
      },
    },
    rounds,
  );
  await end(worker);
  const [wall, cpu] = ['wallMs', 'cpuMs'].map((key) => medianOf(figures.embedded, key));
  row('embedded', ms(wall), `CPU ${ms(cpu)}`);
  const beside = (name, key, base) => {
    const value = medianOf(figures.postgres, key);
    row(name, ms(value), ratio(value / base));
  };
  beside('on PostgreSQL, wall', 'wallMs', wall);
  beside('on PostgreSQL, CPU of the command', 'cpuMs', cpu);
  beside('on PostgreSQL, CPU of the worker', 'workerMs', cpu);
}

/** Records one after the other, each until it is durable, as those before a paid call. */
async function measureRecord() {
  const perRun = 50;
  heading(`a record until it is durable, ${rounds} interleaved rounds of ${perRun}`);
  const postgres = await openPostgresStore(database);
  const claims = {
    embedded: await claimRun(embeddedStore, join(root, 'record-run')),
    postgres: await claimRun(postgres, 'record-run'),
  };
  const record = { type: 'step.begun', step: 'review/chunk-1/turn-1', input_digest: 'sha256:0' };
  let attempt = 0;
  const write = async (claim) => {
    attempt += 1;
    claim.append([{ body: { ...record, attempt }, turn: 1 }]);
    await claim.durable();
  };
  const each = (claim) => () =>
    timed(async () => {
      for (let index = 0; index < perRun; index += 1) await write(claim);
    });
  const candidates = Object.entries(claims).map(([name, claim]) => [name, each(claim)]);
  const figures = await interleave(Object.fromEntries(candidates), rounds);
  for (const claim of Object.values(claims)) await claim.release();
  await postgres.close();
  const [embedded, remote] = [figures.embedded, figures.postgres].map(
    (own) => medianOf(own, 'wallMs') / perRun,
  );
  row('embedded', ms(embedded));
  row('on PostgreSQL', ms(remote), ratio(remote / embedded));
}

function claimRun(store, runFolder) {
  const agent = { id: 'advisor', role: 'advisor', provider: 'codex' };
  const envelope = { runId: 'record-run', conversationId: 'record-run', tenantId: 'local', agent };
  return store.claim({ runFolder, envelope, clock: { now: () => Date.now() } });
}

/** All readers are there before the run is driven, spread over the servers. */
async function measureReaders() {
  heading(`${readers} readers of one review of four calls`);
  for (const count of new Set([1, most])) {
    const { spreadMs, events, losses, refused, servers } = await read(count);
    const kib = servers.reduce((sum, { kib: grown }) => sum + grown, 0);
    const cpuMs = servers.reduce((sum, { cpuMs: own }) => sum + own, 0);
    row(
      `${count} ${count === 1 ? 'server' : 'servers'}`,
      `${events} events each, ${losses} lost or doubled, ${refused} connections refused`,
      `last reader ${ms(spreadMs).trim()} after the first`,
      `${(kib / readers).toFixed(0)} KiB a reader`,
      `${((1000 * cpuMs) / (events * readers)).toFixed(1)} µs CPU a delivery`,
    );
  }
}

async function read(count) {
  // Of its own: the cache has the answers of the other round.
  const advisor = script(`streams-${count}`, { delay_ms: 1500, delta_size: 40 });
  writeFileSync(join(root, 'collab.config.yaml'), 'chunk_tokens: 700\nconcurrency: 1\n');
  const servers = await Promise.all(Array.from({ length: count }, startServer));
  const at = `api/tenants/local/conversations/readers-${count}`;
  await post(`${servers[0].url}/${at}/runs`, {
    kind: 'review',
    input: { diff: readFileSync(wideDiff, 'utf8') },
    advisor,
  });
  const before = servers.map(({ child }) => ({ kib: memoryOf(child.pid), cpuMs: cpuOf(child.pid) }));
  const urls = servers.map(({ url }) => `${url}/${at}/stream`);
  const reading = await openReaders(urls, readers);
  const worker = await startWorker();
  const figures = await reading.ended;
  const grown = servers.map(({ child }, index) => ({
    kib: memoryOf(child.pid) - before[index].kib,
    cpuMs: cpuOf(child.pid) - before[index].cpuMs,
  }));
  await Promise.all([worker, ...servers.map(({ child }) => child)].map(end));
  return { ...figures, refused: reading.refused, servers: grown };
}

async function post(url, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status !== 201) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
}

/** A script each of whose answers is clean. */
function script(name, turn) {
  const file = join(root, `${name}.yaml`);
  const sections = ['## STRENGTHS', 'Small. '.repeat(60), '## ISSUES', 'None', '## SUGGESTIONS', 'None'];
  const answer = ['[RESPONSE:REVIEW]', ...sections].join('\n\n');
  writeFileSync(file, JSON.stringify({ turns: [{ repeat: 'forever', ...turn, answer }] }));
  return `rehearsal:${file}`;
}

async function submit(advisor) {
  const words = ['review', diff, '--no-cache', '--advisor', advisor, '--remote', '--detach'];
  const { stdout } = await runProgram([...collab, ...words], { cwd: root, env });
  return JSON.parse(stdout).run;
}

function waitFor(id) {
  return runProgram([...collab, 'wait', id, '--remote', '--timeout', '10m'], { cwd: root, env });
}

async function startWorker() {
  const child = start('worker', '--grace', '1ms');
  await printed(child.stderr, /is ready/);
  return child;
}

async function startServer() {
  const child = start('serve', '--remote', '--port', '0', '--json');
  const [line] = await printed(child.stdout, /^.*\n/);
  return { child, url: JSON.parse(line).url };
}

function start(...words) {
  const child = spawn(collab[0], [collab[1], ...words], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  return child;
}

function printed(stream, pattern) {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found !== null) resolve(found);
    });
    stream.on('end', () => reject(new Error(`${pattern} was not printed: ${text}`)));
  });
}

async function end(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await Promise.race([ended, delay(10_000, undefined, { ref: false })]);
  child.kill('SIGKILL');
  started.delete(child);
}

/** User and system time of a process so far, in milliseconds. */
function cpuOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The resident memory of a process, in KiB. */
function memoryOf(pid) {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
}
