/** Plans the exchanges of a review: one for each chunk and pass. */
import type { DiffFile } from '../../parsers/diff/types.ts';
import { foundLine, withPass, lenses, type ReviewPass } from '../../prompts/review/passes.ts';
import { reviewRequest, type ReviewBrief } from '../../prompts/review/review-request.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { Finding } from '../../events/collab-event.ts';
import type { Chunk } from '../../review/census/chunks.ts';
import type { Effort } from '../../tags/effort.ts';

export interface PlannedExchange {
  readonly name: string;
  readonly files: readonly DiffFile[];
  readonly pass: ReviewPass;
  /** Findings of rules in the files, as text; null if there are none. */
  readonly evidence: string | null;
}

/** The most passes of a deep review that look for what was missed. The second follows only if the first found something. */
export const mostMissedPasses = 2;

/** Returns the lenses of a review; null if one pass looks for everything. */
export function lensesOf(effort: Effort): typeof lenses | null {
  return effort === 'deep' ? lenses : null;
}

/** Returns the number of exchanges for each chunk, without repeats. */
export function exchangesPerChunk(effort: Effort): { readonly least: number; readonly most: number } {
  const passes = firstPasses(effort).length;
  return effort === 'deep'
    ? { least: passes + 1, most: passes + mostMissedPasses }
    : { least: passes, most: passes };
}

function firstPasses(effort: Effort): readonly ReviewPass[] {
  return lensesOf(effort)?.map((lens) => ({ kind: 'lens', lens }) as const) ?? [{ kind: 'whole' }];
}

type Evidence = Readonly<Partial<Record<string, string>>>;

/** Plans the passes with which a review begins. */
export function planFirst(
  chunks: readonly Chunk[],
  effort: Effort,
  evidence: Evidence,
): readonly PlannedExchange[] {
  return chunks.flatMap((chunk) => firstPasses(effort).map((pass) => planned(chunk, pass, evidence)));
}

/** Plans a pass that looks for what was missed; `number` is 1 for the first. */
export function planMissed(
  chunks: readonly Chunk[],
  number: number,
  findings: readonly Finding[],
): readonly PlannedExchange[] {
  const pass = { kind: 'missed', number, found: findings.map(foundLine) } as const;
  // The findings of rules are in the list.
  return chunks.map((chunk) => planned(chunk, pass, {}));
}

function planned({ name, files }: Chunk, pass: ReviewPass, evidence: Evidence): PlannedExchange {
  return { name: `${name}${suffixOf(pass)}`, files, pass, evidence: evidence[name] ?? null };
}

function suffixOf(pass: ReviewPass): string {
  switch (pass.kind) {
    case 'whole':
      return '';
    case 'lens':
      return `-${pass.lens}`;
    case 'missed':
      return `-missed-${pass.number}`;
  }
}

export function requestOfPass(
  brief: ReviewBrief,
  { files, pass, evidence }: PlannedExchange,
): ConsultRequest {
  return withPass(reviewRequest(brief, files, evidence), pass);
}
