import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A mutant is dead at its first failing test, and an example is drawn faster than a property. */
class ExamplesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((left, right) => Number(isProperty(left)) - Number(isProperty(right)));
  }
}

function isProperty({ moduleId }: TestSpecification): boolean {
  return moduleId.includes('.property.');
}

/** The tests that judge a mutant: those beside the mutated files, none that starts a process. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['src/{config,parsers,machine,review}/**/*.test.ts'],
    exclude: ['**/*.git.{test,slow.test}.ts', '**/*.changes.test.ts'],
    setupFiles: ['test/setup/quick-properties.ts'],
    sequence: { sequencer: ExamplesFirst },
    testTimeout: 10_000,
    isolate: false,
  },
});
