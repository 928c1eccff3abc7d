/** Tests that start dozens of processes and wait for their ends: with `npm run test:agents`, so that `npm test` stays short. */
export const slowTests: readonly string[] = [
  'src/git/working-copy-recovery.test.ts',
  'src/git/working-copy-together.test.ts',
  'test/contract/engine/kill.test.ts',
  'test/contract/engine/race.test.ts',
  'test/contract/workflow/truncation.test.ts',
  'test/packed/consult-kill.test.ts',
  'test/packed/demo.test.ts',
  'test/packed/detached.test.ts',
  'test/packed/follow.test.ts',
  'test/packed/interrupt.test.ts',
  'test/packed/workflow.test.ts',
];
