/**
 * The exports that read a run's events and its result: their types, without zod, and the pure functions that other views also
 * use.
 */
export type {
  CollabEvent,
  CollabEventOf,
  ExchangeAction,
  ExchangeOutcome,
  FileStatus,
  Finding,
  Outcome,
  RejectionReason,
  SkippedBy,
  Usage,
} from '../events/collab-event.ts';
export type { Severity } from '../tags/severities.ts';
export type { Phase } from '../tags/tags.ts';
export type { ReviewResult } from '../review/outcome/result.ts';
export { countsInOutcome, inReportOrder, placeOfFinding } from '../events/findings.ts';
export { addCost } from '../events/cost.ts';
export { addTokens, countTokens, noTokens, type Tokens } from '../events/tokens.ts';
export { createModelCalls } from '../events/model-calls.ts';
export { capitalize } from '../text/capitalize.ts';
export { neutralise } from '../text/neutralise.ts';
export { agentName, createSpeakers } from '../events/speakers.ts';
