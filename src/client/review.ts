/** The exports that show a change and its findings, in addition to `run-events.ts`; without Node and zod. */
export { parseUnifiedDiff } from '../parsers/diff/parse-diff.ts';
export type { DiffFile, DiffLine, Hunk } from '../parsers/diff/types.ts';
export { leadProofOf } from '../review/findings/lead-proof.ts';
export { reasonCodes, sentenceOf, tellFailure, type ReasonCode } from '../review/outcome/reasons.ts';
export { severities } from '../tags/severities.ts';
export { makeVisible, visibleName } from '../text/neutralise.ts';
export { renderCount, renderNumber } from '../text/quantities.ts';
export { workOrderMaker } from './work-order.ts';
