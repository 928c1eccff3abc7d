/** The passes of a review: one over everything, or one for each lens, and those that look for what was missed. */
import { placeOfFinding } from '../../events/findings.ts';
import type { Finding } from '../../events/collab-event.ts';
import { onOneLine } from '../../text/one-line.ts';
import type { ConsultRequest } from '../request.ts';

/** The kinds of faults that a deep review looks for one by one. */
export const lenses = ['correctness', 'security', 'data', 'contract'] as const;
export type Lens = (typeof lenses)[number];

export type ReviewPass =
  | { readonly kind: 'whole' }
  | { readonly kind: 'lens'; readonly lens: Lens }
  /** `number` is 1 for the first; `found` lists the findings so far. */
  | { readonly kind: 'missed'; readonly number: number; readonly found: readonly string[] };

/** Returns the lens, `missed`, or null for a review in one pass. */
export function nameOfPass(pass: ReviewPass | undefined): string | null {
  if (pass === undefined || pass.kind === 'whole') return null;
  return pass.kind === 'lens' ? pass.lens : pass.kind;
}

/** Returns the request of a pass, made of the request for the same files in one pass. */
export function withPass(request: ConsultRequest, pass: ReviewPass): ConsultRequest {
  switch (pass.kind) {
    case 'whole':
      return request;
    case 'lens':
      return { ...request, pass, question: `${request.question}\n\n${looking[pass.lens]}\n${others}` };
    case 'missed':
      return {
        ...request,
        pass,
        question: `${request.question}\n\n${missed}`,
        required: [
          ...request.required,
          { title: foundTitle, text: pass.found.join('\n') || 'None', origin: 'foreign' },
        ],
      };
  }
}

const looking: Readonly<Record<Lens, string>> = {
  correctness:
    'This pass is about correctness: wrong conditions, results, units and types; cases and errors that nothing handles; resources that are not released.',
  security:
    'This pass is about security: input that reaches commands, queries, paths, markup or the network unchecked; missing checks of identity and permission; revealed secrets; unsafe defaults; input that makes the program hang or fail.',
  data: 'This pass is about data and concurrency: lost, half-written or doubled data; transactions and migrations; stored data in the old form; races, locks and the order of events; repeats, time limits and cancellation.',
  contract:
    'This pass is about contracts and tests: callers, public names, types, wire and file formats, configuration and documentation that still expect the old behavior; tests that cannot fail or no longer test what they name.',
};

const others =
  'Other passes look for the other kinds of problems: report one of another kind only if it is Critical.';

const foundTitle = 'The findings so far';

const missed = [
  `Other passes over this change are done; \`${foundTitle}\` lists what they found. Look for what they missed: read every hunk again, and first the ones without a finding.`,
  'Report new problems only: do not repeat, reword or comment on a finding of the list. `None` is a good answer if nothing was missed.',
].join('\n');

/** Names a finding for a later pass. */
export function foundLine(finding: Finding): string {
  return onOneLine(`- ${finding.severity}, ${placeOfFinding(finding)}: ${finding.title}`);
}
