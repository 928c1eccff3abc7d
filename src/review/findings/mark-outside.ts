/** Removes `outside_change` from a finding whose file is changed but not reviewed. */
import type { Census } from '../census/census.ts';
import type { MergedReview } from './merge.ts';

export function markOutside(merged: MergedReview, census: Pick<Census, 'files'>): MergedReview {
  const changed = new Set(census.files.flatMap(({ file }) => [file.path, file.oldPath]));
  const findings = merged.findings.map((finding) => {
    const { outside_change: _outside, ...inside } = finding;
    return finding.path !== null && changed.has(finding.path) ? inside : finding;
  });
  return { ...merged, findings };
}
