// Compares `collab review` through the real Codex with bare `codex exec` with the same prompt, with a model that
// answers immediately.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { minorFinding } from './answers.mjs';
import { bundle } from './bundle.mjs';
import { createWorld } from './codex-world.mjs';
import { diffOf } from './diffs.mjs';
import { heading, interleave, mean, median, medianOf, ms, ratio, row, runsFrom } from './measure.mjs';
import { bareNode, collab, peakMemory, runProgram } from './programs.mjs';

const runs = runsFrom(process.argv, 9);
const inRepositoryRuns = runsFrom(process.argv, 7);
const world = await createWorld(minorFinding);
try {
  // `--repository`: measures only reviews in a repository.
  if (!process.argv.includes('--repository')) {
    await single();
    await four();
  }
  await inRepositories();
} finally {
  world.close();
}

async function single() {
  const { command, options, prompt } = await reviewOf('one.diff', diffOf(2, 95));
  const before = (await world.upstream.look()).requests;
  const candidates = {
    exec: () => runProgram(world.codexExec, { cwd: world.empty, env: world.env, input: prompt }),
    collab: () => runProgram(command, options),
  };
  const { exec, collab: ours } = await interleave(candidates, runs);
  const asked = (await world.upstream.look()).requests - before;
  heading(`one review, 190 added lines, ${prompt.length} characters of prompt; ${runs} interleaved runs`);
  row('codex exec --json -s read-only -', ms(medianOf(exec, 'wallMs')), `CPU ${ms(cpu(exec))}`);
  row('collab review --advisor auto', ms(medianOf(ours, 'wallMs')), `CPU ${ms(cpu(ours))}`);
  row('CPU of our own process', ms(medianOf(ours, 'ownCpuMs')), '(target ≤ 750 ms)');
  row('wall, ratio', ratio(medianOf(ours, 'wallMs') / medianOf(exec, 'wallMs'), 1.9));
  row(
    'wall, median of the pairs’ ratios',
    ratio(median(ours.map(({ wallMs }, index) => wallMs / exec[index].wallMs)), 1.9),
  );
  row('requests to the model per review', String((asked - (runs + 1)) / (runs + 1)));
  const peaks = await interleave(
    {
      exec: () => peakMemory(world.codexExec, { cwd: world.empty, env: world.env, input: prompt }),
      collab: () => peakMemory(command, options),
    },
    5,
  );
  row('peak PSS of the tree, codex exec', `${median(peaks.exec).toFixed(0)} MiB`);
  row('peak PSS of the tree, collab', `${median(peaks.collab).toFixed(0)} MiB  (target ≤ 200)`);
}

async function four() {
  for (const concurrency of ['1', '3', '4']) {
    const { command, options, prompt } = await reviewOf('four.diff', diffOf(4, 1000), [
      '--concurrency',
      concurrency,
    ]);
    const before = (await world.upstream.look()).requests;
    const candidates = {
      exec: () => runProgram(world.codexExec, { cwd: world.empty, env: world.env, input: prompt }),
      collab: () => runProgram(command, options),
    };
    const { exec, collab: ours } = await interleave(candidates, runs);
    const asked = (await world.upstream.look()).requests - before;
    heading(
      `four exchanges through one app-server, --concurrency ${concurrency}; ${prompt.length} characters of prompt each`,
    );
    row('codex exec, one of the four', ms(medianOf(exec, 'wallMs')), `CPU ${ms(cpu(exec))}`);
    row('collab review, four chunks', ms(medianOf(ours, 'wallMs')), `CPU ${ms(cpu(ours))}`);
    row('wall ÷ four codex exec', ratio(medianOf(ours, 'wallMs') / (4 * medianOf(exec, 'wallMs')), 0.75));
    row('requests to the model per review', String((asked - (runs + 1)) / (runs + 1)));
  }
}

/** The usual call: one changed line in a repository of files of 10 KB. */
async function inRepositories() {
  const { wallMs } = await runProgram(bareNode);
  heading(
    `in a repository, one changed line; ${cpus()[0]?.model ?? 'unknown CPU'}; bare Node starts in ${wallMs.toFixed(0)} ms`,
  );
  row('writing 2,000 files of 10 KB here', ms(diskMs()));
  const agent = await bundle(join(import.meta.dirname, 'bare-agent.mjs'));
  for (const files of [2, 2000, 20_000]) await inRepository(files, agent);
}

async function inRepository(files, agent) {
  const cwd = join(world.root, `repository-${files}`);
  makeRepository(cwd, files);
  const command = [...collab, 'review', '--no-cache'];
  const store = join(world.env.HOME, '.local/state/collab/store');
  const options = { cwd, env: world.env };
  const review = async () => {
    const before = (await world.upstream.look()).arrivals.length;
    const figure = await runProgram(command, options);
    rmSync(join(cwd, '.collab'), { recursive: true });
    const { arrivals } = await world.upstream.look();
    return {
      ...figure,
      requestMs: arrivals[before] - figure.startedAt,
      reportMs: figure.printedAt - arrivals.at(-1),
    };
  };
  await review();
  const first = [];
  for (let run = 0; run < inRepositoryRuns; run += 1) {
    // Not removed: ext4 creates files slowly for minutes after many others were removed.
    renameSync(store, `${store}-${files}-${run}`);
    first.push(await review());
  }
  // Until the copy is whole: a model thinks longer than this one.
  await world.upstream.think(files > 2000 ? 10_000 : 2000);
  await review();
  await world.upstream.think(0);
  const { prompts } = await world.upstream.look();
  const input = prompts.at(-1);
  const { later, exec, bare } = await interleave(
    {
      later: review,
      exec: () => runProgram(world.codexExec, { cwd: world.empty, env: world.env, input }),
      bare: () => {
        const state = mkdtempSync(join(world.root, 'state-'));
        return runProgram([process.execPath, agent, state], { cwd, env: world.env, input });
      },
    },
    inRepositoryRuns,
  );
  const name = `${files} files`;
  row(`${name}: request, first run`, ms(medianOf(first, 'requestMs')));
  row(`${name}: request, later runs`, ms(medianOf(later, 'requestMs')));
  row(`${name}: from request to report`, ms(medianOf(later, 'reportMs')));
  row(`${name}: whole review, later`, ms(medianOf(later, 'wallMs')), `CPU ${ms(cpu(later))}`);
  row('codex exec', ms(medianOf(exec, 'wallMs')), `CPU ${ms(cpu(exec))}`);
  row('app-server with our profile', ms(medianOf(bare, 'wallMs')), `CPU ${ms(cpu(bare))}`);
  row('whole review ÷ codex exec', ratio(medianOf(later, 'wallMs') / medianOf(exec, 'wallMs'), 2.2));
  row('whole review ÷ codex exec, CPU', ratio(cpu(later) / cpu(exec)));
}

function makeRepository(cwd, files) {
  const line = 'export const total = (prices: readonly number[]) => prices.length;\n';
  for (let index = 0; index < files; index += 1) {
    const folder = join(cwd, `src/${index % 200}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${index}.ts`), `// ${index}\n${line.repeat(150)}`.slice(0, 10_240));
  }
  const env = { ...world.env, PATH: process.env.PATH ?? '' };
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd, env });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'base');
  appendFileSync(join(cwd, 'src/0/0.ts'), 'export const more = 1;\n');
}

function diskMs() {
  const folder = mkdtempSync(join(world.root, 'disk-'));
  const begunAt = performance.now();
  for (let index = 0; index < 2000; index += 1)
    writeFileSync(join(folder, String(index)), Buffer.alloc(10_240, index % 256));
  const tookMs = performance.now() - begunAt;
  rmSync(folder, { recursive: true });
  return tookMs;
}

/** Returns the command and its prompt, as the upstream received it. */
async function reviewOf(name, diff, flags = []) {
  writeFileSync(join(world.root, name), diff);
  // Reviews the same change each time, without the cache.
  const command = [...collab, 'review', name, '--no-cache', ...flags];
  const options = { cwd: world.root, env: world.env };
  await runProgram(command, options);
  const { prompts } = await world.upstream.look();
  return { command, options, prompt: prompts.at(-1) };
}

function cpu(figures) {
  return mean(figures.map(({ cpuMs }) => cpuMs));
}
