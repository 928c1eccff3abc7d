// One way to send a run's events to its readers, in a separate process: node stream-server.mjs <way> <events> Readers
// connect to its port; GET /go sends the events to all of them and answers with the CPU that it took, in milliseconds.
import { once, setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { lineOf } from '../src/engine/journal/journal-line.ts';
import { systemClock } from '../src/system/clock.ts';
import { writeEvents } from '../src/server/streams/event-writer.ts';
import { createStreamingFraming } from '../src/server/streams/framing.ts';
import { longRun } from '../src/server/long-run.test-helper.ts';
import { createRunStream } from '../src/server/streams/run-stream.ts';

const [, , way, events] = process.argv;
const run = longRun(Number(events)).map(lineOf);
/** Number of events per batch. */
const atOnce = 16;
const ways = { 'every event': () => bare(1), '16 at once': () => bare(atOnce), collab };
let round = ways[way]();

const server = createServer((request, response) => {
  if (request.url === '/go') void go(response);
  else round.enter(response);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

async function go(response) {
  const before = process.cpuUsage();
  await round.send();
  const { user, system } = process.cpuUsage(before);
  round = ways[way]();
  response.end(String((user + system) / 1000));
}

/**
 * A loop over responses, as a first version would be: frames are built once, and a batch waits until all readers have
 * the previous one.
 */
function bare(framesPerWrite) {
  const responses = [];
  const framing = framingOf();
  async function write(text) {
    const bytes = new TextEncoder().encode(text);
    const full = responses.filter((response) => !response.write(bytes));
    await Promise.all(full.map((response) => once(response, 'drain')));
  }
  return {
    enter(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
      response.flushHeaders();
      responses.push(response);
    },
    async send() {
      for (const batch of batches()) {
        const texts = batch.flatMap((line) => framing.frame(line)).map(({ text }) => text);
        for (let at = 0; at < texts.length; at += framesPerWrite) {
          await write(texts.slice(at, at + framesPerWrite).join(''));
        }
        await tick();
      }
      await Promise.all(responses.map((response) => (response.end(), once(response, 'close'))));
    },
  };
}

function collab() {
  const stream = createRunStream({
    runId: 'run-1',
    clock: systemClock,
    framing: framingOf(),
    folder: tmpdir(),
  });
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const written = [];
  return {
    enter(response) {
      written.push(writeEvents({ source: stream, after: 0, response, clock: systemClock, signal }));
    },
    async send() {
      for (const batch of batches()) {
        stream.push(batch);
        await tick();
      }
      await Promise.all(written);
      await stream.leave();
    },
  };
}

function framingOf() {
  return createStreamingFraming({ runId: 'run-1', projection: {}, messages: () => null });
}

function* batches() {
  for (let at = 0; at < run.length; at += atOnce) yield run.slice(at, at + atOnce);
}

function tick() {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
