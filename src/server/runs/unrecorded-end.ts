/** Reads from the result file why a run ended, if its journal does not record it (ADR 5). */
import type { ErrorKind } from '../../events/collab-event.ts';
import type { ReasonCode } from '../../review/outcome/reasons.ts';
import { readResult } from '../../runs/folder/result-file.ts';
import type { UntoldEnd } from '../../views/stream/projection.ts';

export function untoldEnd(runFolder: string): UntoldEnd | undefined {
  const errors = readResult(runFolder)?.reasons ?? [];
  const refusal = refusals.find(({ code }) => errors.some((reason) => reason.startsWith(`${code}:`)));
  return errors.length === 0 ? undefined : { errors, kind: refusal?.kind };
}

const refusals: readonly { readonly code: ReasonCode; readonly kind: ErrorKind }[] = [
  { code: 'agent_missing', kind: 'cli_missing' },
  { code: 'agent_login', kind: 'auth' },
];
