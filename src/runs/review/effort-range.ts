/** Estimates the calls, tokens and dollars of a review at each effort. */
import { exchangesPerChunk, planFirst, planMissed, requestOfPass } from '../../machine/review/passes.ts';
import { mostCheckedPerChunk } from '../../machine/review/second-opinion.ts';
import type { PlannedExchange } from '../../machine/review/passes.ts';
import { measuringNonce } from '../../prompts/fence.ts';
import type { ReviewBrief } from '../../prompts/review/review-request.ts';
import { requestText } from '../../prompts/request-text.ts';
import type { TokenPrice } from '../../providers/contract/contract.ts';
import { bytesPerToken, type Chunk } from '../../review/census/chunks.ts';
import type { Effort } from '../../tags/effort.ts';
import { outputAllowanceTokens } from '../calls/budget.ts';

export interface EffortRange {
  readonly calls: Range;
  /** Requests and answers; an agent’s own reading is not included. */
  readonly tokens: Range;
  /** In US dollars, without discounts for cached input; null if the price is unknown. */
  readonly usd: Range | null;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** The request of a check: its form, the finding, and the lines around it. */
const checkTokens = 4000;

/** Leaves out repeats, and the checks of a lead, which have no bound. */
export function effortRange(
  effort: Effort,
  brief: ReviewBrief,
  chunks: readonly Chunk[],
  price: TokenPrice | null,
): EffortRange {
  const perChunk = exchangesPerChunk(effort);
  const checks = effort === 'quick' ? 0 : mostCheckedPerChunk * chunks.length;
  const calls = {
    least: perChunk.least * chunks.length,
    most: perChunk.most * chunks.length + checks,
  };
  const first = tokensOf(brief, planFirst(chunks, effort, {}));
  const missed = tokensOf(brief, planMissed(chunks, 1, []));
  const firstPasses = chunks.length === 0 ? 0 : planFirst(chunks, effort, {}).length / chunks.length;
  const asked = {
    least: first + (perChunk.least - firstPasses) * missed,
    most: first + (perChunk.most - firstPasses) * missed + checks * checkTokens,
  };
  const answered = calls.most * outputAllowanceTokens;
  return {
    calls,
    tokens: { least: asked.least, most: asked.most + answered },
    usd:
      price === null
        ? null
        : {
            least: (asked.least * price.input) / 1e6,
            most: (asked.most * price.input + answered * price.output) / 1e6,
          },
  };
}

function tokensOf(brief: ReviewBrief, exchanges: readonly PlannedExchange[]): number {
  const texts = exchanges.map((planned) => requestText(requestOfPass(brief, planned), measuringNonce).text);
  return texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / bytesPerToken), 0);
}
