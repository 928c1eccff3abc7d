/** Extracts the code that the lead rejects a finding with from its evidence: the reason, the place, then the lines. */
import type { Finding } from '../../events/collab-event.ts';

export interface LeadProof {
  readonly reason: string;
  /** `src/total.ts:3-4` */
  readonly place: string;
  readonly path: string;
  readonly code: string;
}

/** Returns null if the lead rejected nothing. The place is followed by as many lines as it names. */
export function leadProofOf({ verdict, evidence }: Pick<Finding, 'verdict' | 'evidence'>): LeadProof | null {
  if (verdict !== 'rejected' || evidence === undefined) return null;
  const lines = evidence.split('\n');
  for (const [index, place] of lines.entries()) {
    const [, path, start, end = start] = /^(.+):(\d+)(?:-(\d+))?$/u.exec(place) ?? [];
    const code = lines.slice(index + 1);
    const isWhole = code.length > 0 && code.length === Number(end) - Number(start) + 1;
    if (path === undefined || !isWhole) continue;
    return { reason: lines.slice(0, index).join('\n'), place, path, code: code.join('\n') };
  }
  return null;
}
