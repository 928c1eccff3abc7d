/** Gives an advisor that is rules only what they found when the change was taken: with whole files, and only once. */
import type { RuleReport } from '../../machine/review/review-machine.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { RunInput } from '../folder/run-input.ts';
import { issuesWithin } from './static-evidence.ts';

/** `report` is null before the rules ran; rules that failed run again, for their error. */
export function withFindings(
  request: ConsultRequest,
  { advisor }: Pick<RunInput, 'advisor'>,
  report: Pick<RuleReport, 'issues' | 'fault'> | null,
): ConsultRequest {
  if (advisor.assurance !== 'static' || request.change === null) return request;
  if (report === null || report.fault !== null) return request;
  return { ...request, found: issuesWithin(request.change, report.issues) };
}
