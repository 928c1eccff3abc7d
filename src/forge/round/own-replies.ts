/** Reads our own comments: which threads have our reply, which findings are dismissed, which commands are answered. */
import { answerMark, dismissedMark, fixedMark, type Marks, type RoundDismissal } from './marks.ts';

export interface OwnReplies {
  /** True if one of them says that the finding is fixed. */
  readonly isAnswered: boolean;
  readonly dismissed: RoundDismissal | null;
}

/** @param bodies our own comments in a thread, the oldest first */
export function readOwnReplies(bodies: readonly string[], marks: Marks): OwnReplies {
  return {
    isAnswered: bodies.some((body) => marks.read(fixedMark, body) !== null),
    dismissed: bodies.map((body) => marks.read(dismissedMark, body)).findLast((one) => one !== null) ?? null,
  };
}

/** Returns the ids of the comments whose commands our own comments answer. */
export function answeredIn(bodies: readonly string[], marks: Marks): ReadonlySet<string> {
  const answered = bodies.flatMap(
    (body) => marks.read(answerMark, body)?.comment ?? marks.read(dismissedMark, body)?.comment ?? [],
  );
  return new Set(answered);
}

/** Returns the dismissals of findings without a thread, in our comments of the conversation. */
export function dismissalsIn(bodies: readonly string[], marks: Marks): readonly RoundDismissal[] {
  return bodies.flatMap((body) => marks.read(dismissedMark, body) ?? []);
}
