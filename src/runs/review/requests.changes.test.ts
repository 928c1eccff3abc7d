/** The requests for real changes: the part of them that is equal, and their size. */
import { expect, test } from 'vitest';
import { releaseDifferences } from '../../../test/changes/differences.ts';
import { defaultSettings } from '../../config/settings-table.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { changedLinesOf, countLines } from '../../parsers/diff/ranges.ts';
import { renderDiffFile } from '../../parsers/diff/render.ts';
import { widenChange } from '../../parsers/diff/widen-change.ts';
import { renderRequest } from '../../prompts/render-request.ts';
import { reviewRequest, type ReviewBrief } from '../../prompts/review/review-request.ts';
import { sharedBeginning } from '../../prompts/shared-beginning.ts';
import { bytesPerToken, planChunks } from '../../review/census/chunks.ts';
import { startSettings } from '../folder/run-settings.ts';
import { readChange } from './read-change.ts';

/** As long as those of many repositories: about 1,500 tokens. */
const conventions = [
  { path: 'AGENTS.md', text: 'Money is in whole cents; rates are in basis points.\n'.repeat(110) },
];
const settings = startSettings(defaultSettings);
/** Large enough for several chunks of a sixth of the default budget. */
const changes = [...releaseDifferences()].filter(({ diff }) => diff.length > 20_000);

function read(diff: string) {
  const change = {
    diff,
    description: 'a release',
    messages: 'Release',
    pull_request: null,
    checks: [],
    related: [],
    attributes: {},
  };
  return readChange({ change: { ...change, secrets: undefined, conventions }, settings }).counted;
}

test('two chunks, and the same chunk in two runs, begin with at least 60 % of the text before the diff', () => {
  const shares = changes.flatMap(({ diff }) => {
    const { brief, files } = read(diff);
    const chunks = planChunks(files, settings.chunk_tokens / 6);
    const withTwo = chunks.length > 1 ? chunks : [];
    return withTwo.length === 0
      ? []
      : [sharedBeginning(withTwo.map((chunk) => reviewRequest(brief, chunk.files)))?.share ?? 0];
  });
  expect(shares.length).toBeGreaterThanOrEqual(10);
  expect(shares.filter((share) => share < 0.6)).toEqual([]);
});

test('the request for a change in its context has at most twice the tokens of the one for the diff of git', () => {
  const sizes = changes.slice(0, 20).map(({ diff, after }) => {
    const { files } = widenChange(parseUnifiedDiff(diff).files, ({ path }) => after(path), 'files');
    return { plain: sizeOf(diff), wide: sizeOf(files.map(renderDiffFile).join('')) };
  });
  expect(sizes).toHaveLength(20);
  for (const { plain, wide } of sizes) {
    expect(wide.lines).toBe(plain.lines);
    expect(wide.tokens).toBeLessThanOrEqual(Math.max(plain.tokens * 2, plain.tokens + 12_500) + 500);
  }
});

function sizeOf(diff: string) {
  const { brief, files } = read(diff);
  return { tokens: tokensOf(brief, files), lines: countLines(changedLinesOf(files)) };
}

function tokensOf(brief: ReviewBrief, files: Parameters<typeof reviewRequest>[1]): number {
  const { text } = renderRequest(reviewRequest(brief, files), {
    budgetCharacters: null,
    nonce: '1'.repeat(16),
  });
  return Buffer.byteLength(text) / bytesPerToken;
}
