/** Decides which known faults a finding is about. A judge sees texts only, no files and no lines. */
import { createHash } from 'node:crypto';
import type { Finding } from '../../../src/events/collab-event.ts';
import type { KnownFault } from '../sets/benchmark-set.ts';

export interface JudgeQuestion {
  readonly faults: readonly { readonly id: string; readonly text: string }[];
  readonly finding: { readonly title: string; readonly text: string };
}

export interface Judge {
  /** Part of the key of each judgment: with another judge, all is judged again. */
  readonly name: string;
  /** Ids of the faults that the finding is about. @throws Error if there is no usable answer */
  readonly judge: (question: JudgeQuestion) => Promise<readonly string[]>;
}

export function questionOf(faults: readonly KnownFault[], { title, body }: Finding): JudgeQuestion {
  return {
    faults: faults.map(({ id, text }) => ({ id, text })),
    finding: { title, text: body },
  };
}

export function judgmentKey(judge: string, question: JudgeQuestion): string {
  return createHash('sha256')
    .update(JSON.stringify([judge, question]))
    .digest('hex');
}
