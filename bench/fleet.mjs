/**
 * A day of reviews of many tenants, one of which floods the queue, on the real dispatcher: simulated callers and workers, a real
 * PostgreSQL with its rows and races. The day is simulated in steps of 250 ms, the pause of a worker between two looks;
 * all workers with a free slot take at once, as many as runs are queued. `node bench/fleet.mjs --reviews 100000 --slots 300`
 */
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { countFrom, heading, row } from './measure.mjs';
import { seededRandom } from '../scripts/seeded-random.mjs';
import { repository } from './programs.mjs';

if (process.argv.includes('--help')) {
  process.stdout.write(
    'node bench/fleet.mjs [--reviews <a day, 100000>] [--slots <at once, 300>] [--workers <10>] [--tenants <200>] [--flood <3000>] [--seed <1>] [--from <hour, 0>] [--to <hour, 24>]\n',
  );
  process.exit(0);
}
const number = (flag, standard) => countFrom(process.argv, flag, standard);
const reviews = number('--reviews', 100_000);
const slots = number('--slots', 300);
const workers = number('--workers', 10);
const tenants = number('--tenants', 200);
const flood = number('--flood', 3000);
/** The part of the day that is simulated. */
const [from, to] = [hourAfter('--from', 0), hourAfter('--to', 24)];
const random = seededRandom(number('--seed', 1));

const step = 0.25;
const floodAt = 11 * 3600;
/** Hundredths of the day's reviews in each hour: 8.5 in the busiest one. */
const hours = [
  1, 0.7, 0.6, 0.6, 0.8, 1.2, 2.2, 4, 6.2, 7.6, 8.3, 8.5, 7.2, 7.6, 8.2, 8, 7.2, 5.6, 4, 3.2, 2.6, 2.1, 1.6,
  1,
];
/** The callers, by number as in the queue: person, CI, batch. */
const callers = [0.3, 0.6, 0.1];
const flooder = 'flooder';

const load = (path) => bundle(join(repository, path)).then((file) => import(file));
const [{ startPostgres }, { migrateDatabase }, { openPostgresStore }, { createRowDispatcher }] =
  await Promise.all(
    [
      'test/fixtures/postgres-cluster.ts',
      'src/engine/postgres/migrate.ts',
      'src/engine/postgres/postgres-store.ts',
      'src/engine/postgres/row-dispatcher.ts',
    ].map(load),
  );
const cluster = await startPostgres();
try {
  const arrivals = arrivalsOfDay();
  const { waits, takeMs, mostQueued } = await simulate(arrivals);
  const inOrder = waitsInOrder(arrivals);
  heading(
    `${reviews} reviews of ${tenants} tenants in a day and ${flood} of one more at 11:00, ${slots} slots in ${workers} workers; ${from}:00 to ${to}:00`,
  );
  const busiest = arrivals.filter((run) => isOther(run) && Math.floor(run.at / 3600) === 11);
  const needed = busiest.reduce((sum, { seconds }) => sum + seconds, 0) / 3600;
  row('slots that the others need at 11:00', needed.toFixed(0).padStart(9));
  row('most queued', String(mostQueued).padStart(9));
  const report = (name, belongs) => row(name, ...waitsOf(arrivals.filter(belongs), [waits, inOrder]));
  row('', 'p50, p95, longest wait'.padStart(32), 'in the order of submission'.padStart(32));
  report('the others', isOther);
  const isMeanwhile = (run) => isOther(run) && run.at >= floodAt && run.at < floodAt + 2 * 3600;
  report('the others, 11:00 to 13:00', isMeanwhile);
  for (const [priority, name] of ['person', 'ci', 'batch'].entries())
    report(`  ${name}`, (run) => isMeanwhile(run) && run.priority === priority);
  report('the flooding tenant', (run) => !isOther(run));
  row(
    'a take, p50 and p95',
    `${quantile(takeMs, 0.5).toFixed(1)} ms   ${quantile(takeMs, 0.95).toFixed(1)} ms`,
  );
} finally {
  await cluster.remove();
}

/** Returns the runs in the order of their submission, each with its tenant, priority and the seconds of its drive. */
function arrivalsOfDay() {
  const sum = hours.reduce((total, share) => total + share, 0);
  const names = zipf(tenants);
  const usual = Array.from({ length: reviews }, () => {
    const hour = pick(hours.map((share) => share / sum));
    return {
      at: (hour + random()) * 3600,
      tenant: names(),
      priority: pick(callers),
      seconds: secondsOfReview(),
    };
  });
  const flooding = Array.from({ length: flood }, () => ({
    at: floodAt,
    tenant: flooder,
    priority: 0,
    seconds: secondsOfReview(),
  }));
  return [...usual, ...flooding]
    .filter(({ at }) => at >= from * 3600 && at < to * 3600)
    .toSorted((one, other) => one.at - other.at)
    .map((run, index) => ({ ...run, id: `run-${index}` }));
}

function hourAfter(flag, standard) {
  const place = process.argv.indexOf(flag);
  return place < 0 ? standard : Number(process.argv[place + 1]);
}

/** A review waits for a call with a median of 74 s, and in 35 of 100 reviews for a verification of half that. */
function secondsOfReview() {
  return secondsOfCall() + (random() < 0.35 ? secondsOfCall() / 2 : 0);
}

function secondsOfCall() {
  return 74 * Math.exp(0.5 * normal());
}

async function simulate(arrivals) {
  const url = await cluster.createDatabase();
  await migrateDatabase(url);
  await withoutSync(url);
  const stores = await Promise.all(Array.from({ length: workers }, () => openPostgresStore(url)));
  const [{ pool }] = stores;
  const most = Math.floor(slots / workers);
  const fleet = stores.map((store) => ({ dispatcher: createRowDispatcher(store), driving: new Map() }));
  const known = new Map(arrivals.map((run) => [run.id, run]));
  const waits = new Map();
  const takeMs = [];
  let [next, queued, mostQueued, driven, turn] = [0, 0, 0, 0, 0];
  try {
    for (let now = 0; waits.size < arrivals.length; now += step) {
      if (queued === 0 && driven === 0 && next < arrivals.length) now = Math.max(now, arrivals[next].at);
      const due = [];
      while (next < arrivals.length && arrivals[next].at <= now) due.push(arrivals[next++]);
      await Promise.all(fleet.map((worker) => leaveEnded(worker, now)));
      if (due.length > 0) await submit(pool, due);
      queued += due.length;
      mostQueued = Math.max(mostQueued, queued);
      await Promise.all(lookers().map((worker) => takeAll(worker, now)));
      if (now % 3600 < step)
        process.stderr.write(
          `${Math.floor(now / 3600)}:00, ${waits.size} taken, ${queued} queued, ${driven} driven\n`,
        );
    }
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
  return { waits, takeMs, mostQueued };

  /** The workers with a free slot, as many as runs are queued: the looks of the others find nothing. Each begins in turn. */
  function lookers() {
    turn += 1;
    const inTurn = [...fleet.slice(turn % workers), ...fleet.slice(0, turn % workers)];
    return inTurn.filter(({ driving }) => driving.size < most).slice(0, queued);
  }

  async function leaveEnded({ dispatcher, driving }, now) {
    const ended = [...driving].filter(([, until]) => until <= now);
    await Promise.all(
      ended.map(async ([id]) => {
        await dispatcher.leave(id, { kind: 'done' });
        driving.delete(id);
        driven -= 1;
      }),
    );
  }

  async function takeAll({ dispatcher, driving }, now) {
    while (queued > 0 && driving.size < most) {
      const begunAt = performance.now();
      const task = await dispatcher.take({
        kinds: ['review'],
        providers: null,
        protocol: 1,
        driving: [...driving.keys()],
      });
      takeMs.push(performance.now() - begunAt);
      if (task === null) return;
      const run = known.get(task.runId);
      if (waits.has(run.id)) throw new Error(`${run.id} was taken twice: this machine is too busy`);
      waits.set(run.id, now - run.at);
      driving.set(run.id, now + run.seconds);
      queued -= 1;
      driven += 1;
    }
  }
}

/** The order is measured, not the disk. */
async function withoutSync(url) {
  const store = await openPostgresStore(url);
  await store.pool.query('alter role collab set synchronous_commit = off');
  await store.close();
}

async function submit(pool, due) {
  const columns = ['id', 'tenant', 'priority'].map((name) => due.map((run) => run[name]));
  await pool.query(
    `with given as (select * from unnest($1::text[], $2::text[], $3::integer[]) with ordinality as t (id, tenant, priority, place)),
     added as (insert into collab.run (id, tenant, conversation, kind, input) select id, tenant, id, 'review', '{}' from given)
     insert into collab.task (run_id, tenant, kind, providers, protocol, priority, queued_at)
     select id, tenant, 'review', '{codex}', 1, priority, clock_timestamp() from given order by place`,
    columns,
  );
}

/** The waits of the same runs in the order of their submission. */
function waitsInOrder(arrivals) {
  const free = Array.from({ length: slots }, () => 0);
  const waits = new Map();
  for (const { id, at: submitted, seconds } of arrivals) {
    const slot = free.indexOf(Math.min(...free));
    const begins = Math.max(submitted, free[slot]);
    waits.set(id, begins - submitted);
    free[slot] = begins + seconds;
  }
  return waits;
}

function isOther({ tenant }) {
  return tenant !== flooder;
}

function waitsOf(runs, ways) {
  return ways.map((waits) => {
    const seconds = runs.map(({ id }) => waits.get(id));
    return [0.5, 0.95, 1].map((share) => `${quantile(seconds, share).toFixed(1)} s`.padStart(10)).join(' ');
  });
}

/** Returns the value below which a share of the values is. */
function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** The first tenant has twice as many runs as the second one, three times as many as the third. */
function zipf(count) {
  const weights = Array.from({ length: count }, (_, index) => 1 / (index + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const shares = weights.map((weight) => weight / sum);
  return () => `tenant-${pick(shares) + 1}`;
}

/** Returns an index; each has its share of a whole. */
function pick(shares) {
  let left = random();
  const found = shares.findIndex((share) => (left -= share) < 0);
  return found < 0 ? shares.length - 1 : found;
}

function normal() {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
