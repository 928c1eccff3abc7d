/** The requests for 20 real changes, as `collab review` makes them with the default settings and no conventions. */
import { defaultSettings } from '../../src/config/settings-table.ts';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import { changedLinesOf, countLines } from '../../src/parsers/diff/ranges.ts';
import { renderDiffFile } from '../../src/parsers/diff/render.ts';
import { widenChange, type ContextLevel } from '../../src/parsers/diff/widen-change.ts';
import { renderRequest } from '../../src/prompts/render-request.ts';
import { reviewRequest } from '../../src/prompts/review/review-request.ts';
import { sharedBeginning } from '../../src/prompts/shared-beginning.ts';
import { bytesPerToken, planChunks } from '../../src/review/census/chunks.ts';
import { startSettings } from '../../src/runs/folder/run-settings.ts';
import { readChange } from '../../src/runs/review/read-change.ts';
import { countWhole } from '../../test/changes/changed-functions.ts';
import { releaseDifferences, type Difference } from '../../test/changes/differences.ts';

const settings = startSettings(defaultSettings);
const measuredChanges = 20;

/** Returns a table in Markdown. */
export function measurePrompts(): string {
  const rows = chooseDifferences().map(measureOne);
  const all = { git: wholeOf(rows, 'wholeInGit'), ours: wholeOf(rows, 'whole') };
  const shares = rows.map(({ equalChunks }) => equalChunks);
  return [
    '| # | change | changed lines | tokens a line, git’s context | tokens a line | functions whole, git | functions whole | equal, two runs | equal, two chunks |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((row, index) => renderRow(row, index + 1)),
    '',
    `median tokens a changed line: ${median(rows.map(({ perLine }) => perLine)).toFixed(1)}; with git’s context ${median(rows.map(({ perLineInGit }) => perLineInGit)).toFixed(1)}`,
    `changed functions shown whole: ${all.ours}; with git’s context ${all.git}`,
    `equal before the diff: at least ${percent(Math.min(...rows.map(({ equalRuns }) => equalRuns)))} between two runs, ${percent(Math.min(...shares))} between two chunks`,
    '',
  ].join('\n');
}

/** `number` counts from 1. */
export function printPrompts(number: number): string {
  const difference = chooseDifferences()[number - 1];
  if (difference === undefined) throw new Error(`--print needs a number from 1 to ${measuredChanges}`);
  return requestsFor(difference, settings.context).map(render).join('\n');
}

/** Twenty, evenly spread over all packages and languages. */
function chooseDifferences(): readonly Difference[] {
  const all = [...releaseDifferences()];
  return Array.from(
    { length: measuredChanges },
    (_, index) => all.slice(Math.floor((index * all.length) / measuredChanges))[0],
  ).filter((difference) => difference !== undefined);
}

type Whole = { readonly shown: number; readonly all: number } | null;

interface Measured {
  readonly name: string;
  readonly lines: number;
  readonly perLine: number;
  readonly perLineInGit: number;
  readonly whole: Whole;
  readonly wholeInGit: Whole;
  readonly equalRuns: number;
  readonly equalChunks: number;
}

function measureOne(difference: Difference): Measured {
  const lines = countLines(changedLinesOf(parseUnifiedDiff(difference.diff).files));
  const tokensIn = (level: ContextLevel): number =>
    requestsFor(difference, level).reduce((sum, request) => sum + tokensOf(render(request)), 0);
  const { brief, files } = read(difference, settings.context);
  const [first] = requestsFor(difference, settings.context);
  const chunks = chunksOf(files);
  return {
    name: difference.name,
    lines,
    perLine: tokensIn(settings.context) / lines,
    perLineInGit: tokensIn('diff') / lines,
    whole: countWhole(difference, settings.context),
    wholeInGit: countWhole(difference, 'diff'),
    equalRuns: sharedBeginning(first === undefined ? [] : [first])?.share ?? 0,
    equalChunks: sharedBeginning(chunks.map((part) => reviewRequest(brief, part.files)))?.share ?? 0,
  };
}

/** Smaller chunks than usual for a change that has only one, so that there are two. */
function chunksOf(files: Parameters<typeof planChunks>[0]) {
  const sizes = [1, 6, 24, 96].map((part) =>
    // Chunks this small can have nothing but context.
    planChunks(files, settings.chunk_tokens / part).filter(
      (chunk) => countLines(changedLinesOf(chunk.files)) > 0,
    ),
  );
  return sizes.find(({ length }) => length > 1) ?? sizes[0] ?? [];
}

function requestsFor(difference: Difference, level: ContextLevel) {
  const { brief, files } = read(difference, level);
  return planChunks(files, settings.chunk_tokens).map((chunk) => reviewRequest(brief, chunk.files));
}

function read({ name, diff, after }: Difference, level: ContextLevel) {
  const { files } = widenChange(parseUnifiedDiff(diff).files, ({ path }) => after(path), level);
  const change = {
    diff: files.map(renderDiffFile).join(''),
    description: name,
    messages: `Release\n\n${name}`,
    pull_request: null,
    checks: [],
    related: [],
    attributes: {},
    secrets: undefined,
    conventions: [],
  };
  return readChange({ change, settings }).counted;
}

function render(request: ReturnType<typeof reviewRequest>): string {
  return renderRequest(request, { budgetCharacters: null, nonce: '1'.repeat(16) }).text;
}

function tokensOf(text: string): number {
  return Buffer.byteLength(text) / bytesPerToken;
}

function renderRow(row: Measured, number: number): string {
  const cells = [
    number,
    row.name,
    row.lines,
    row.perLineInGit.toFixed(1),
    row.perLine.toFixed(1),
    renderWhole(row.wholeInGit),
    renderWhole(row.whole),
    percent(row.equalRuns),
    percent(row.equalChunks),
  ];
  return `| ${cells.join(' | ')} |`;
}

function renderWhole(whole: Whole): string {
  return whole === null ? '–' : `${whole.shown} of ${whole.all}`;
}

function wholeOf(rows: readonly Measured[], key: 'whole' | 'wholeInGit'): string {
  const known = rows.flatMap((row) => row[key] ?? []);
  const [shown, all] = [
    known.reduce((sum, one) => sum + one.shown, 0),
    known.reduce((sum, one) => sum + one.all, 0),
  ];
  return `${shown} of ${all} (${percent(all === 0 ? 0 : shown / all)})`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
