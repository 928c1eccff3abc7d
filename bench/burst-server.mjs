// The server of bench/burst.mjs, in a process of its own: streams the run of a temporary folder to each connection. On `go` the
// whole journal is there at once; when its input ends it prints how long its event loop was blocked.
import { once, setMaxListeners } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { lineOf } from '../src/engine/journal/journal-line.ts';
import { journalFile } from '../src/engine/journal/journal.ts';
import { followJournalInBatches } from '../src/runs/folder/follow-journal.ts';
import { createStreamingFraming } from '../src/server/streams/framing.ts';
import { createRunStreams } from '../src/server/streams/run-streams.ts';
import { writeEvents } from '../src/server/streams/event-writer.ts';
import { systemClock as clock } from '../src/system/clock.ts';
import { longRun } from './long-run.mjs';

const idleMs = 500;
const runFolder = mkdtempSync(join(tmpdir(), 'collab-bench-burst-'));
const prepared = join(runFolder, 'prepared');
writeFileSync(
  prepared,
  longRun(Number(process.argv[2]))
    .map((event) => `${lineOf(event).text}\n`)
    .join(''),
);
const engine = {
  events: ({ path }, after, signal) => followJournalInBatches({ runFolder: path, clock, signal, after }),
  status: async () => ({ state: 'ended' }),
};
const streams = createRunStreams({
  clock,
  engine,
  onFault: (error) => {
    throw error;
  },
});
const { signal } = new AbortController();
setMaxListeners(0, signal);
const source = () =>
  streams.source({
    runId: 'r',
    runFolder,
    kind: 'streaming',
    createFraming: () => createStreamingFraming({ runId: 'r', projection: {}, messages: () => null }),
  });
const server = createServer((_request, response) => {
  void writeEvents({ source: source(), after: 0, response, clock, signal });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

await once(process.stdin, 'data');
const idle = await watched(() => delay(idleMs));
const figure = await watched(async () => {
  renameSync(prepared, journalFile(runFolder));
  process.stdin.resume();
  await once(process.stdin, 'end');
});
process.stdout.write(JSON.stringify({ ...figure, idleMs: idle.longestMs }));
rmSync(runFolder, { recursive: true });
server.closeAllConnections();
process.exit();

/** The longest time between two turns of the event loop, by its clock and by the CPU that this process used in it. */
async function watched(work) {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  const begunWith = cpuMs();
  let [last, longestCpuMs, long] = [begunWith, 0, 0];
  let at = performance.now();
  const turns = setInterval(() => {
    const [now, nowAt] = [cpuMs(), performance.now()];
    longestCpuMs = Math.max(longestCpuMs, now - last);
    long += nowAt - at > 50 ? 1 : 0;
    [last, at] = [now, nowAt];
  }, 1);
  histogram.enable();
  await work();
  histogram.disable();
  clearInterval(turns);
  return { longestMs: histogram.max / 1e6, longestCpuMs, long, cpuMs: cpuMs() - begunWith };
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
