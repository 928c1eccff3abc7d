/** A checker of Stryker that lets the mutants of a sample pass; Stryker leaves the others out of its score. */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

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
    const ranked = mutants.map((mutant) => [this.rankOf(mutant), mutant.id]).toSorted();
    const chosen = new Set(ranked.slice(0, this.drawn.count).map(([, id]) => id));
    const resultOf = (id) =>
      chosen.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not drawn' };
    return Object.fromEntries(mutants.map(({ id }) => [id, resultOf(id)]));
  }

  rankOf({ fileName, location, mutatorName, replacement }) {
    const place = JSON.stringify([relative(process.cwd(), fileName), location, mutatorName, replacement]);
    return createHash('sha256').update(`${this.drawn.seed}\n${place}`).digest('hex');
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'drawn', injectableClass: DrawnMutants }];
