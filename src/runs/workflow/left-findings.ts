/** Adds the findings that the lead refused or did not answer to those of the review: they are still open. */
import type { Finding } from '../../events/collab-event.ts';
import type { WorkflowOutput } from '../../machine/workflow/workflow-types.ts';
import type { WorkInput } from './types.ts';

export function withLeftFindings(output: WorkflowOutput, input: WorkInput): WorkflowOutput {
  const last = output.reviews.at(-1);
  if (input.kind !== 'fix' || last === undefined) return output;
  const { merged } = last.output;
  const left = output.fixes.flatMap(({ id, fate, reason, now }): readonly Finding[] => {
    const finding = input.fix.findings.find((chosen) => chosen.id === id);
    if (finding === undefined || now !== null) return [];
    if (fate === 'unanswered') return [finding];
    return fate === 'refused' && reason !== null
      ? [{ ...finding, verdict: 'disputed', evidence: reason }]
      : [];
  });
  const numbered = left.map((finding, index) => ({
    ...finding,
    id: `F${merged.findings.length + index + 1}`,
  }));
  const findings = [...merged.findings, ...numbered];
  const review = { ...last, output: { ...last.output, merged: { ...merged, findings } } };
  return { ...output, reviews: [...output.reviews.slice(0, -1), review] };
}
