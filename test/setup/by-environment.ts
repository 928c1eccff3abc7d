import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs the files that need a browser's objects after all others. A worker that has loaded the modules ends before a file with another
 * environment, so each change of the order costs one more start.
 */
export class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => Number(isOfBrowser(left)) - Number(isOfBrowser(right)));
  }
}

function isOfBrowser({ moduleId }: TestSpecification): boolean {
  return readFileSync(moduleId, 'utf8').includes('@vitest-environment');
}
