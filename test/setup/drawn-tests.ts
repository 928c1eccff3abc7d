/**
 * With `TEST_SHARE`, the part of slow tests that a run plays, for example 0.3: the others are skipped. `TEST_SEED` draws, so that each
 * commit plays others and a run can be repeated. Tests of numbered rules are always played.
 */
import { beforeEach } from 'vitest';
import { isDrawn } from './is-drawn.ts';

const share = Number(process.env['TEST_SHARE'] ?? 1);
const seed = process.env['TEST_SEED'] ?? '';

beforeEach(({ skip, task }) => {
  skip(!isDrawn(task.file.name, task.fullTestName, { share, seed }), 'not drawn by TEST_SEED');
});
