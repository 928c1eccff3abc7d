// Measures what `collab` adds to bare Node: for a version, for the help, for the example with static checks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { heading, interleave, mean, medianOf, ms, ratio, row, runsFrom } from './measure.mjs';
import { bareNode, collab, plainEnvironment, repository, runProgram } from './programs.mjs';

const runs = runsFrom(process.argv, 15);
const folder = mkdtempSync(join(tmpdir(), 'collab-bench-start-'));
const options = { cwd: folder, env: { ...plainEnvironment(), HOME: folder } };
const example = join(repository, 'examples/checkout.diff');
try {
  const figures = await interleave(
    {
      'node -e 0': () => runProgram(bareNode, options),
      'collab --version': () => runProgram([...collab, '--version'], options),
      'collab --help': () => runProgram([...collab, '--help'], options),
      'collab review, static_review': () =>
        runProgram([...collab, 'review', example, '--advisor', 'static_review'], { ...options, code: 1 }),
    },
    runs,
  );
  heading(`start-up; Node ${process.versions.node}, ${runs} interleaved runs`);
  const bare = figures['node -e 0'];
  for (const [name, own] of Object.entries(figures)) {
    const wall = medianOf(own, 'wallMs');
    const added = wall - medianOf(bare, 'wallMs');
    row(
      name,
      ms(wall),
      `CPU ${ms(cpu(own))}`,
      ratio(wall / medianOf(bare, 'wallMs')),
      `bare +${ms(added).trim()}`,
    );
  }
  row('', 'target of --version: bare + 15 ms');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function cpu(figures) {
  return mean(figures.map(({ cpuMs }) => cpuMs));
}
