// A run whose journal grows by 10,000 events at once, with 100 readers: how long the server's event loop is blocked.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { heading, medianOf, ms, row, runsFrom } from './measure.mjs';
import { repository } from './programs.mjs';

const runs = runsFrom(process.argv, 5);
const readers = 100;
const events = 10_000;
const program = await bundle(join(repository, 'bench/burst-server.mjs'));
const figures = [];
for (let round = 0; round <= runs; round += 1) {
  const figure = await burst();
  if (round > 0) figures.push(figure);
}
heading(`a burst of ${events} events to ${readers} readers; ${runs} rounds`);
row('until all have read them', ms(medianOf(figures, 'wallMs')), `CPU ${ms(medianOf(figures, 'cpuMs'))}`);
row('longest block of the loop', ms(medianOf(figures, 'longestMs')), '(target ≤ 50 ms)');
row('the same, CPU of the process', ms(medianOf(figures, 'longestCpuMs')));
row('blocks above 50 ms', String(medianOf(figures, 'long')));
row('longest block, idle loop before', ms(medianOf(figures, 'idleMs')), 'other programs of the machine');

async function burst() {
  const child = spawn(process.execPath, [program, String(events)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = child.stdout.setEncoding('utf8');
  const [port] = await once(answers, 'data');
  const ended = Array.from({ length: readers }, () => read(Number(port)));
  await Promise.all(ended.map(({ opened }) => opened));
  const begunAt = performance.now();
  const answered = once(answers, 'data');
  child.stdin.write('go');
  await Promise.all(ended.map(({ closed }) => closed));
  const wallMs = performance.now() - begunAt;
  child.stdin.end();
  const [figure] = await answered;
  return { wallMs, ...JSON.parse(figure) };
}

function read(port) {
  const request = get({ port, host: '127.0.0.1', agent: false });
  const opened = once(request, 'response').then(([response]) => response);
  const closed = opened.then((response) => once(response.resume(), 'close'));
  return { opened, closed };
}
