/** Rules that look for secrets see the change as it is; everybody else sees it masked. */
import { filesWithin, linesOf } from '../../parsers/diff/ranges.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { Assurance } from '../../review/outcome/coverage.ts';
import type { ReadChange } from './read-change.ts';

export function revealSecrets(
  request: ConsultRequest,
  assurance: Assurance,
  { unmasked }: Pick<ReadChange, 'unmasked'>,
): ConsultRequest {
  if (assurance !== 'static' || request.change === null) return request;
  return { ...request, change: unmaskedOf(request.change, unmasked) };
}

/** The same lines of the change as it is. */
export function unmaskedOf(files: readonly DiffFile[], unmasked: readonly DiffFile[]): readonly DiffFile[] {
  return filesWithin(unmasked, linesOf(files));
}
