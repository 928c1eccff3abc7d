import type { DatabaseEngine } from '../../../src/runs/engine/database-engine.ts';
import type { NewRun } from '../../../src/runs/engine/engine.ts';
import { newRunId, type RunFolder } from '../../../src/runs/folder/run-folder.ts';
import { prepareReview, takeChange } from '../../../src/runs/review/prepare.ts';
import { reviewOptions } from '../../../src/runs/review-options.test-helper.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { changeOf } from '../../fixtures/review-answers.ts';
import { scratchFolder } from '../../fixtures/scratch-repository.ts';

/** Submits a review of one file by `static_review`, which no process drives. */
export async function submitReview(
  engine: DatabaseEngine,
  { description, ...place }: Partial<NewRun> & { readonly description?: string } = {},
): Promise<RunFolder> {
  const options = reviewOptions({
    cwd: scratchFolder(),
    env: { HOME: scratchFolder(), PATH: process.env['PATH'] ?? '' },
    change: { kind: 'stdin', text: changeOf(1) },
    settings: { advisor: 'static_review' },
  });
  const prepared = await prepareReview(options, await takeChange(options));
  const { change } = prepared;
  const input = { ...prepared, change: { ...change, description: description ?? change.description } };
  return engine.start('', { runId: newRunId(systemClock), input, ...place });
}
