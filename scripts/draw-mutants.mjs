/** The draw of a sample of mutants: of a room before Stryker starts, and as a checker of Stryker of what it then has. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const quiet = { debug() {}, info() {}, isDebugEnabled: () => false };

/**
 * Returns the places of twice as many mutants as a sample has, as Stryker's `mutate` names them, and the number of all: code with few
 * mutants is fast. Stryker leaves out some of them (`ignoreStatic`), and a place may contain more than one.
 */
export async function drawPlaces(files, { count, seed }) {
  const sources = files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  const options = { ignorers: [], plugins: null, excludedMutations: [] };
  const { mutants } = await new Instrumenter(quiet).instrument(sources, options);
  const places = inDrawnOrder(mutants, seed)
    .slice(0, 2 * count)
    .map(placeOf);
  return { places: [...new Set(places)], total: mutants.length };
}

/** Lets the mutants of a sample pass; Stryker leaves the others out of its score. */
class DrawnMutants {
  static inject = ['options'];

  constructor({ drawn }) {
    this.drawn = drawn;
  }

  async init() {}

  /** All mutants in one group, so that they are drawn from the whole room. */
  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    const { count, seed } = this.drawn;
    const chosen = new Set(inDrawnOrder(mutants, seed).slice(0, count));
    const resultOf = (mutant) =>
      chosen.has(mutant) ? { status: 'passed' } : { status: 'compileError', reason: 'not drawn' };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, resultOf(mutant)]));
  }
}

function inDrawnOrder(mutants, seed) {
  return mutants
    .map((mutant) => ({ mutant, rank: rankOf(mutant, seed) }))
    .toSorted((left, right) => (left.rank < right.rank ? -1 : 1))
    .map(({ mutant }) => mutant);
}

function rankOf({ fileName, location, mutatorName, replacement }, seed) {
  const place = JSON.stringify([relative(process.cwd(), fileName), location, mutatorName, replacement]);
  return createHash('sha256').update(`${seed}\n${place}`).digest('hex');
}

function placeOf({ fileName, location: { start, end } }) {
  return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

export const strykerPlugins = [{ kind: 'Checker', name: 'drawn', injectableClass: DrawnMutants }];
