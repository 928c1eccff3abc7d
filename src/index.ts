/** The public names of `codex-collab`, listed one by one. */
export { CollabError, errorCodes, type CollabErrorOptions, type ErrorCode } from './errors/collab-error.ts';
export { collabEventSchema, type CollabEvent, type Finding, type Outcome } from './events/collab-event.ts';
export { createClientContext, type ClientContextParts } from './loop/client-calls.ts';
export type { ChangeRequest } from './git/change/change-input.ts';
export { reviewResultSchema, type ReviewResult } from './review/outcome/result.ts';
export { review, type ReviewCall, type RunningReview } from './runs/review/library-call.ts';
export type { ReviewSettings } from './runs/folder/run-input.ts';
