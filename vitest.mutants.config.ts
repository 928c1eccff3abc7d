import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ownPackage } from './test/setup/own-package.ts';

/** A mutant is dead at its first failing test, and an example is drawn faster than a property. */
class ExamplesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((left, right) => Number(isProperty(left)) - Number(isProperty(right)));
  }
}

function isProperty({ moduleId }: TestSpecification): boolean {
  return moduleId.includes('.property.');
}

/** Slow tests that run in this process and judge the rooms as fast ones do, and more of those of the room runs: a second each, or less. */
const judging =
  'agent|agent-runs|agent-folders|ask-at-terminal|chat|demo|drive|event-writer|limits|present-run';
const judgingRuns =
  'advisor-check|apply|diff-excuses|gates|head-texts|known-findings|phases|review-cache|review-rounds|run-secrets|search-copy|second-opinion|standing-files|static-evidence';

/** The fast tests and those of test/server, of which scripts/test-mutants.mjs chooses the ones that judge a room. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  resolve: ownPackage,
  test: {
    include: ['src/**/*.test.ts', 'test/contract/{engine,workflow}/*.test.ts', 'test/server/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      '**/*.{changes,git,postgres}.test.ts',
      `{src,test/contract}/**/!(${judging}|${judgingRuns}).slow.test.ts`,
    ],
    setupFiles: ['test/setup/quick-properties.ts'],
    sequence: { sequencer: ExamplesFirst },
    // Instrumented code is slow, and a machine may be busy; the defaults would fail tests of unchanged code.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 5000 } },
    // A worker that keeps its modules would not load the code again that runs then.
    isolate: process.env['MUTANTS_OF_LOADING'] === 'judged',
    unstubEnvs: true,
  },
});
