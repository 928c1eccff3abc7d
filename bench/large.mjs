// A change of 50,000 lines through the real Codex: until the first request, our own CPU a line, and what stays on the disk.
import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorld } from './codex-world.mjs';
import { diffOf } from './diffs.mjs';
import { minorFinding } from './answers.mjs';
import { heading, interleave, medianOf, ms, row, runsFrom } from './measure.mjs';
import { collab, runProgram } from './programs.mjs';

const runs = runsFrom(process.argv, 3);
const [files, linesPerFile] = [50, 1000];
const lines = files * linesPerFile;

const world = await createWorld(minorFinding);
try {
  writeFileSync(join(world.root, 'small.diff'), diffOf(1, 10));
  writeFileSync(join(world.root, 'large.diff'), diffOf(files, linesPerFile));
  const { small, large } = await interleave(
    { small: () => review('small.diff'), large: () => review('large.diff') },
    runs,
  );
  const own = medianOf(large, 'ownCpuMs') - medianOf(small, 'ownCpuMs');
  heading(`${lines} added lines in ${files} files; ${runs} runs, interleaved with reviews of 10 lines`);
  row('first request, 10 lines', ms(medianOf(small, 'requestMs')));
  row('first request', ms(medianOf(large, 'requestMs')), '(target ≤ 4000 ms)');
  row('whole review', ms(medianOf(large, 'wallMs')), `${medianOf(large, 'requests')} requests`);
  row(
    'own CPU a line',
    `${(own / lines).toFixed(3)} ms`.padStart(9),
    '(target ≤ 0.1 ms; above that of 10 lines)',
  );
  row(
    'left on the disk',
    `${(medianOf(large, 'leftBytes') / 2 ** 20).toFixed(1)} MiB`.padStart(9),
    '(target ≤ 4)',
  );
} finally {
  world.close();
}

async function review(name) {
  const places = [join(world.root, '.collab'), join(world.env.HOME, '.local/state/collab')];
  const before = (await world.upstream.look()).arrivals.length;
  const leftBefore = places.map(sizeOf);
  const command = [...collab, 'review', name, '--no-cache'];
  const figure = await runProgram(command, { cwd: world.root, env: world.env });
  const left = places.map(sizeOf);
  rmSync(places[0], { recursive: true });
  const { arrivals } = await world.upstream.look();
  return {
    ...figure,
    requestMs: arrivals[before] - figure.startedAt,
    requests: arrivals.length - before,
    leftBytes: left[0] - leftBefore[0] + (left[1] - leftBefore[1]),
  };
}

/** Bytes of the blocks of all files in a folder; 0 without it. */
function sizeOf(path) {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return 0;
  const inside = facts.isDirectory() ? readdirSync(path) : [];
  return inside.reduce((sum, name) => sum + sizeOf(join(path, name)), facts.blocks * 512);
}
