// A run's events to 100 readers by the server's own writer, against loops over bare responses of node:http.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { heading, interleave, medianOf, ms, ratio, row, runsFrom } from './measure.mjs';
import { repository } from './programs.mjs';

const runs = runsFrom(process.argv, 5);
const readers = 100;
const events = 5000;
const program = await bundle(join(repository, 'bench/stream-server.mjs'));
const names = { bare: 'every event', batched: '16 at once', collab: 'collab' };
const servers = Object.fromEntries(
  await Promise.all(Object.entries(names).map(async ([name, way]) => [name, await start(way)])),
);
try {
  const candidates = Object.fromEntries(
    Object.entries(servers).map(([name, { port }]) => [name, () => deliver(port)]),
  );
  const figures = await interleave(candidates, runs);
  const deliveries = medianOf(figures.bare, 'frames');
  heading(
    `stream, ${events} events to ${readers} readers; ${runs} interleaved runs of ${deliveries} deliveries`,
  );
  for (const [name, of] of Object.entries(figures)) {
    if (of.some(({ frames }) => frames !== deliveries)) throw new Error(`${name} lost or repeated events`);
    const perSecond = deliveries / medianOf(of, 'wallMs');
    const cpu = (1000 * medianOf(of, 'cpuMs')) / deliveries;
    row(
      names[name],
      ms(medianOf(of, 'wallMs')),
      `${perSecond.toFixed(0)} k/s`,
      `${cpu.toFixed(2)} µs CPU each`,
    );
  }
  for (const [key, name] of [
    ['cpuMs', 'CPU'],
    ['wallMs', 'wall'],
  ]) {
    const collab = medianOf(figures.collab, key);
    row(`collab ÷ a write for every event, ${name}`, ratio(collab / medianOf(figures.bare, key)));
    row(`collab ÷ a write for 16, ${name}`, ratio(collab / medianOf(figures.batched, key)));
  }
} finally {
  for (const { child } of Object.values(servers)) child.kill();
}

async function start(way) {
  const child = spawn(process.execPath, [program, way, String(events)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { child, port: Number(port) };
}

/** All frames are counted: each ends with a blank line, and our opening is not one of them. */
async function deliver(port) {
  const reading = await Promise.all(Array.from({ length: readers }, () => read(port)));
  const begunAt = performance.now();
  const [response] = await once(get({ port, host: '127.0.0.1', path: '/go', agent: false }), 'response');
  const counts = await Promise.all(reading.map(({ frames }) => frames));
  const wallMs = performance.now() - begunAt;
  let cpuMs = '';
  for await (const chunk of response) cpuMs += chunk;
  return { wallMs, cpuMs: Number(cpuMs), frames: counts.reduce((sum, frames) => sum + frames, 0) };
}

async function read(port) {
  const [response] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response');
  return { frames: count(response) };
}

async function count(response) {
  let ids = 0;
  let rest = '';
  for await (const chunk of response) {
    const text = rest + chunk.toString('latin1');
    ids += text.split('\nid: ').length - 1;
    rest = text.slice(-4);
  }
  return ids;
}
