// A review of this tree beside the same review of another clone, interleaved: what a change costs or saves.
// `node bench/pairs.mjs --beside ../before --runs 31`
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { minorFinding } from './answers.mjs';
import { createWorld } from './codex-world.mjs';
import { diffOf } from './diffs.mjs';
import { heading, interleave, mean, medianOf, ms, row, runsFrom } from './measure.mjs';
import { collab, runProgram } from './programs.mjs';

const runs = runsFrom(process.argv, 31);
const other = join(resolve(process.argv[process.argv.indexOf('--beside') + 1] ?? ''), 'bin/collab');
if (!process.argv.includes('--beside') || !existsSync(other)) {
  process.stderr.write('name a clone that is built: node bench/pairs.mjs --beside <folder> [--runs 31]\n');
  process.exit(2);
}

const world = await createWorld(minorFinding);
try {
  writeFileSync(join(world.root, 'one.diff'), diffOf(2, 95));
  const review = (program) => () =>
    runProgram([process.execPath, program, 'review', 'one.diff', '--no-cache'], {
      cwd: world.root,
      env: world.env,
    });
  const { before, now } = await interleave({ before: review(other), now: review(collab[1]) }, runs);
  heading(`one review, 190 added lines; ${runs} interleaved pairs`);
  for (const [figure, name] of [
    ['ownCpuMs', 'CPU of our own process'],
    ['cpuMs', 'CPU of the whole tree'],
    ['wallMs', 'wall'],
  ]) {
    const [low, high] = interval(now.map((one, index) => Math.log(one[figure] / before[index][figure])));
    const medians = `${ms(medianOf(before, figure))} → ${ms(medianOf(now, figure))}`;
    row(name, medians, `×${low.toFixed(3)} to ×${high.toFixed(3)} (95 % interval of the mean ratio)`);
  }
} finally {
  world.close();
}

/** Returns the interval of the mean of logarithms, as ratios; 2.04 is Student's factor for 31 pairs. */
function interval(logs) {
  const middle = mean(logs);
  const variance = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (logs.length - 1);
  const half = 2.04 * Math.sqrt(variance / logs.length);
  return [Math.exp(middle - half), Math.exp(middle + half)];
}
