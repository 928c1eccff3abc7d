// Runs a program to its end and measures it: wall time, CPU time of the whole tree, peak memory of the whole tree.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const repository = join(import.meta.dirname, '..');
export const collab = [process.execPath, join(repository, 'bin/collab')];
export const bareNode = [process.execPath, '-e', '0'];

const isLinux = process.platform === 'linux';
const ticksPerSecond = 100;
const pageSampleMs = 8;
const ownSampleMs = 20;

/** `env` is its whole environment; `ownCpuMs` is the CPU of the process alone, up to its last sample. Fails if the program ends with a code other than `code`. */
export async function runProgram(
  [file, ...args],
  { cwd, env = plainEnvironment(), input = '', code = 0 } = {},
) {
  const cpuBefore = childrenCpuMs();
  const begunAt = performance.now();
  const startedAt = Date.now();
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const output = collect(child);
  let ownCpuMs = 0;
  const timer = setInterval(() => {
    ownCpuMs = Math.max(ownCpuMs, processCpuMs(child.pid));
  }, ownSampleMs);
  let printedAt = null;
  child.stdout.once('data', () => {
    printedAt = Date.now();
  });
  child.stdin.end(input);
  const ended = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const wallMs = performance.now() - begunAt;
  clearInterval(timer);
  if (ended !== code)
    throw new Error(`${file} ${args.join(' ')} ended with ${ended}\n${output.stderr}${output.stdout}`);
  return { wallMs, cpuMs: childrenCpuMs() - cpuBefore, ownCpuMs, startedAt, printedAt, ...output };
}

/** Peak of the proportional set sizes, summed over the tree, in MiB. Measuring costs time: never time such a run. */
export async function peakMemory(command, options) {
  let peakMiB = 0;
  const timer = setInterval(() => {
    peakMiB = Math.max(peakMiB, treePssMiB());
  }, pageSampleMs);
  try {
    await runProgram(command, options);
  } finally {
    clearInterval(timer);
  }
  return peakMiB;
}

export function plainEnvironment() {
  return { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' };
}

function collect(child) {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8');
    child[name].on('data', (text) => {
      output[name] += text;
    });
  }
  return output;
}

/** User and system time of all children that were waited for, and of theirs; in steps of 10 ms. NaN outside of Linux. */
function childrenCpuMs() {
  if (!isLinux) return Number.NaN;
  const [, , , , , , , , , , , , , cutime, cstime] = statOf('self');
  return ((Number(cutime) + Number(cstime)) * 1000) / ticksPerSecond;
}

/** User and system time of a process without its children; 0 once it has ended. */
function processCpuMs(pid) {
  try {
    const [, , , , , , , , , , , utime, stime] = statOf(pid);
    return ((Number(utime) + Number(stime)) * 1000) / ticksPerSecond;
  } catch {
    return 0;
  }
}

/** The fields after the command's name: state, ppid, … */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Measures our descendants except the upstream, which is not part of the measurement. */
function treePssMiB() {
  const children = groupByParent(parents());
  const below = (pid) =>
    (children.get(pid) ?? [])
      .filter(([child]) => !leftOut.has(child))
      .flatMap(([child]) => [child, ...below(child)]);
  return below(process.pid).reduce((sum, pid) => sum + pssMiB(pid), 0);
}

/** Process ids that {@link peakMemory} does not count. */
export const leftOut = new Set();

function groupByParent(pairs) {
  const groups = new Map();
  for (const pair of pairs) groups.set(pair[1], [...(groups.get(pair[1]) ?? []), pair]);
  return groups;
}

function parents() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [[Number(name), Number(statOf(name)[1])]];
      } catch {
        return []; // It ended in the meantime.
      }
    });
}

function pssMiB(pid) {
  try {
    return (
      Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0) / 1024
    );
  } catch {
    return 0;
  }
}
