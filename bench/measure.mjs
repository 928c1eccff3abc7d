// Interleaved runs, their medians, and the ratios between them: figures of one invocation are comparable, others are not.

/**
 * Runs the candidates in turn, so that other work of the machine affects all of them equally. Each returns one or more
 * figures, such as `{ wallMs }`; the first round warms caches up and does not count.
 */
export async function interleave(candidates, runs) {
  const figures = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = 0; round <= runs; round += 1) {
    for (const [name, run] of Object.entries(candidates)) {
      const figure = await run();
      if (round > 0) figures[name].push(figure);
    }
  }
  return figures;
}

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function medianOf(figures, key) {
  return median(figures.map((figure) => figure[key]));
}

/** Times `work` in this process: the median of `runs`, in milliseconds. */
export async function timed(work) {
  const begunAt = performance.now();
  await work();
  return { wallMs: performance.now() - begunAt };
}

export function heading(text) {
  process.stdout.write(`\n${text}\n`);
}

export function row(name, ...cells) {
  process.stdout.write(`  ${name.padEnd(38)}${cells.join('   ')}\n`);
}

export function ms(value) {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`.padStart(9);
}

/** Compares it with its target, if there is one; a missed target is not a failure. */
export function ratio(value, target) {
  const wanted = target === undefined ? '' : `  (target ≤ ${target}${value <= target ? '' : ', missed'})`;
  return `×${value.toFixed(2)}${wanted}`;
}

/** `node bench/x.mjs --runs 15` */
export function runsFrom(args, standard) {
  return countFrom(args, '--runs', standard);
}

/** Returns the whole number after a flag. */
export function countFrom(args, flag, standard) {
  const at = args.indexOf(flag);
  const count = at < 0 ? standard : Number(args[at + 1]);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`${flag} needs a number of 1 or more, not ${args[at + 1]}`);
}
