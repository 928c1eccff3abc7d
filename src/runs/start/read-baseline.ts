/** Reads the earlier result that a review is measured against. */
import { resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { takeBaseline, type Baseline } from '../../review/findings/baseline.ts';
import { reviewResultIfThere } from '../folder/named-result.ts';
import type { StartPlace } from './start-place.ts';

/** @throws CollabError `result_file` */
export function readBaseline({ cwd }: Pick<StartPlace, 'cwd'>, name: string): Baseline {
  const result = reviewResultIfThere(resolve(cwd, name));
  if (result !== null) return takeBaseline(result, name);
  throw new CollabError('result_file', `the baseline ${name} does not exist`, {
    hint: 'For the first review, omit --baseline and keep its result with --report json=<file>.',
  });
}
