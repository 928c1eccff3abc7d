import type { CollabEvent } from '../../../src/client/run-events.ts';
import { createRunFold } from './run-fold.ts';

export function foldRun(events: readonly CollabEvent[]) {
  return createRunFold().add(events);
}
