/** What a page shows of a change and its findings beside `run-events.ts`; without Node and without zod. */
export { parseUnifiedDiff } from '../parsers/unified-diff.ts';
export type { DiffFile, DiffLine, Hunk } from '../parsers/unified-diff-types.ts';
export { leadProofOf } from '../review/lead-proof.ts';
export { sentenceOf, tellFailure } from '../review/reasons.ts';
export { severities } from '../tags/tags.ts';
export { makeVisible, visibleName } from '../wire/neutralise.ts';
export { renderCount, renderNumber } from '../wire/quantities.ts';
export { workOrderMaker } from './work-order.ts';
