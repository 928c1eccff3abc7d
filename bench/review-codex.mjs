// `collab review` through the real Codex beside bare `codex exec` with the same prompt, on a model that answers at once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorld } from './codex-world.mjs';
import { diffOf } from './diffs.mjs';
import { heading, interleave, mean, median, medianOf, ms, ratio, row, runsFrom } from './measure.mjs';
import { collab, peakMemory, runProgram } from './programs.mjs';

const runs = runsFrom(process.argv, 9);
const answer = `[RESPONSE:REVIEW]

## STRENGTHS
- Small functions with one purpose each.

## ISSUES
### Important
1. **The order total is rounded after tax** — \`src/orders/report-1.ts:3\`
   \`\`\`
     return Math.round(subtotal * (1 + taxRate) * 100) / 100;
   \`\`\`
   Why: totals of orders differ by cents.
   Fix: round once, on the invoice.

## SUGGESTIONS
None
`;

const world = await createWorld(answer);
try {
  await single();
  await four();
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
  row('wall, ratio', ratio(medianOf(ours, 'wallMs') / medianOf(exec, 'wallMs'), 2));
  row(
    'wall, median of the pairs’ ratios',
    ratio(median(ours.map(({ wallMs }, index) => wallMs / exec[index].wallMs)), 2),
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
  row('peak PSS of the tree, collab', `${median(peaks.collab).toFixed(0)} MiB  (target ≤ 230)`);
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
    row('wall ÷ four codex exec', ratio(medianOf(ours, 'wallMs') / (4 * medianOf(exec, 'wallMs')), 0.7));
    row('requests to the model per review', String((asked - (runs + 1)) / (runs + 1)));
  }
}

/** The command, and the prompt that it sends, taken from what the upstream got. */
async function reviewOf(name, diff, flags = []) {
  writeFileSync(join(world.root, name), diff);
  // The same change again and again: each time it is asked.
  const command = [...collab, 'review', name, '--no-cache', ...flags];
  const options = { cwd: world.root, env: world.env };
  await runProgram(command, options);
  const { prompts } = await world.upstream.look();
  return { command, options, prompt: prompts.at(-1) };
}

function cpu(figures) {
  return mean(figures.map(({ cpuMs }) => cpuMs));
}
