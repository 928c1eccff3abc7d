/** `--plan`: census, skipped files with reasons, chunks, estimated tokens; with `--show-prompt` the prompts. No agent is called. */
import { reviewRequest } from '../machine/review-request.ts';
import { changedLinesOf, countLines } from '../parsers/unified-diff-ranges.ts';
import { measuringNonce } from '../prompts/fence.ts';
import { renderRequest } from '../prompts/render-request.ts';
import { planChunks, type Chunk } from '../review/chunks.ts';
import type { PreparedChange, ReviewOptions } from '../runs/run-prepare.ts';
import { printable } from '../reports/foreign-text.ts';
import { renderCount } from '../wire/quantities.ts';

export function renderPlan(prepared: PreparedChange, options: ReviewOptions, showPrompt: boolean): string {
  const { census, files, brief } = prepared.read.counted;
  const chunks = planChunks(files, options.settings.chunk_tokens);
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.estimatedTokens, 0);
  const lines = [
    `would review ${brief.subject}`,
    `${renderCount(census.filesChanged, 'file')} changed, ${renderCount(census.linesChanged, 'line')}`,
    ...census.files.flatMap(({ path, skipped }) =>
      skipped === null ? [] : [`skipped ${path}: ${skipped.reason}`],
    ),
    ...chunks.map(describeChunk),
    `${renderCount(chunks.length, 'exchange')}, about ${renderCount(tokens, 'token')} of diff; no agent was called`,
  ];
  const prompts = showPrompt ? chunks.map((chunk) => promptOf(chunk, prepared)) : [];
  return printable([...lines, ...prompts].join('\n') + '\n');
}

function describeChunk(chunk: Chunk): string {
  const paths = chunk.files.map((file) => file.path).join(', ');
  const lines = countLines(changedLinesOf(chunk.files));
  return `${chunk.name}: ${renderCount(lines, 'line')}, about ${renderCount(chunk.estimatedTokens, 'token')}: ${paths}`;
}

function promptOf(chunk: Chunk, { read }: PreparedChange): string {
  const { text } = renderRequest(reviewRequest(read.counted.brief, chunk.files), {
    budgetCharacters: null,
    // The run draws the names of its fences; this prompt is never sent.
    nonce: measuringNonce,
  });
  return `\n---- prompt of ${chunk.name} ----\n${text}`;
}
