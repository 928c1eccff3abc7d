/** `--plan`: census, skipped files with reasons, chunks, estimated tokens; with `--show-prompt` the prompts. Calls no agent. */
import { reviewTimeLimitMs } from '../../config/waits.ts';
import { exchangesPerChunk } from '../../machine/review/passes.ts';
import type { RuleReport } from '../../machine/review/review-machine.ts';
import { reviewRequest } from '../../prompts/review/review-request.ts';
import { changedLinesOf, countLines } from '../../parsers/diff/ranges.ts';
import { contextLevels } from '../../parsers/diff/widen-change.ts';
import { measuringNonce } from '../../prompts/fence.ts';
import { relatedTo } from '../../prompts/review/related-files.ts';
import { sharedBeginning } from '../../prompts/shared-beginning.ts';
import { renderRequest } from '../../prompts/render-request.ts';
import type { Assurance } from '../../review/outcome/coverage.ts';
import type { TokenPrice } from '../../providers/contract/contract.ts';
import { loadProvider, parseProviderChoice } from '../../providers/contract/registry.ts';
import { bytesPerToken, planChunks, type Chunk } from '../../review/census/chunks.ts';
import { advisorQuestion } from '../../runs/agents/advisor-question.ts';
import { expectedPrice } from '../../runs/agents/call-price.ts';
import { effortRange, type EffortRange } from '../../runs/review/effort-range.ts';
import { effortLevels, type Effort } from '../../tags/effort.ts';
import { examine, examineChange } from '../../runs/review/static-evidence.ts';
import type { PreparedChange, ReviewOptions } from '../../runs/review/prepare.ts';
import { renderCost } from '../../views/reports/usage-line.ts';
import { printable } from '../../views/reports/foreign-text.ts';
import { renderCount, renderDuration, renderNumber } from '../../text/quantities.ts';

export async function renderPlan(
  prepared: PreparedChange,
  options: ReviewOptions,
  showPrompt: boolean,
): Promise<string> {
  const { census, files, brief } = prepared.read.counted;
  const chunks = planChunks(files, options.settings.chunk_tokens);
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.estimatedTokens, 0);
  const { most } = exchangesPerChunk(options.settings.effort);
  const limitMs = options.settings.time_limit_ms ?? reviewTimeLimitMs(chunks.length * most);
  const price = await priceOfPlan(options);
  const lines = [
    `would review ${brief.subject}`,
    `${renderCount(census.filesChanged, 'file')} changed, ${renderCount(census.linesChanged, 'line')}`,
    ...census.files.flatMap(({ path, skipped }) =>
      skipped === null ? [] : [`skipped ${path}: ${skipped.reason}`],
    ),
    ...chunks.map(describeChunk),
    ...describeContext(prepared, options),
    ...describeMaterial(prepared),
    ...describeBeginning(chunks, prepared),
    `${renderCount(chunks.length, 'exchange')}, about ${renderCount(tokens, 'token')} of diff, time limit ${renderDuration(limitMs)}; no agent was called`,
    ...effortLevels.map((effort) => describeEffort(effort, effortRange(effort, brief, chunks, price))),
  ];
  const evidence = showPrompt ? await evidenceFor(chunks, prepared, options) : {};
  const prompts = showPrompt
    ? chunks.map((chunk) => promptOf(chunk, prepared, evidence[chunk.name] ?? null))
    : [];
  return printable([...lines, ...prompts].join('\n') + '\n');
}

/** Repeats are left out, and so is what an agent reads itself. */
function describeEffort(effort: Effort, { calls, tokens, usd }: EffortRange): string {
  const most = renderCount(calls.most, 'call');
  const all = calls.least === calls.most ? most : `${calls.least} to ${most}`;
  return `--effort ${effort}: ${all}, about ${renderNumber(tokens.least)} to ${renderCount(tokens.most, 'token')} of requests and answers${describeCost(usd)}`;
}

function describeCost(usd: EffortRange['usd']): string {
  return usd === null ? '' : `, ${renderCost(usd.least)} to ${renderCost(usd.most)}`;
}

/** `auto` has no price: the advisor is chosen when the review starts. */
async function priceOfPlan(options: ReviewOptions): Promise<TokenPrice | null> {
  const { advisor } = options.settings;
  if (advisor === 'auto') return null;
  const agents = [parseProviderChoice(advisor), ...(options.lead ? [options.lead] : [])];
  return expectedPrice(agents, advisorQuestion(options).environment);
}

function describeChunk(chunk: Chunk): string {
  const paths = chunk.files.map((file) => file.path).join(', ');
  const lines = countLines(changedLinesOf(chunk.files));
  return `${chunk.name}: ${renderCount(lines, 'line')}, about ${renderCount(chunk.estimatedTokens, 'token')}: ${paths}`;
}

/** Prints the cost of each level of context, so that the user can choose. */
function describeContext(
  { taken, read, related }: PreparedChange,
  { settings }: ReviewOptions,
): readonly string[] {
  const { contextCosts: costs } = taken;
  if (costs === undefined) return [];
  const tests = relatedTo(read.counted.files, related).map(({ text }) => text);
  const all = { ...costs, related: costs.related + Buffer.byteLength(tests.join('')) };
  const each = contextLevels.map((level) => `${level} ${Math.ceil(all[level] / bytesPerToken)}`);
  return [`context ${settings.context}; tokens beside the diff: ${each.join(', ')}`];
}

/** Lists the parts of the requests in addition to the diff, and the omitted files. */
function describeMaterial({ read, conventions }: PreparedChange): readonly string[] {
  const { pullRequest, checks } = read.counted.brief;
  return [
    ...conventions.kept.map(({ path, text }) => `conventions from ${path}: ${tokensOf(text)}`),
    ...conventions.left.map(({ path, why }) => `no conventions from ${path}: ${why}`),
    ...(pullRequest === null ? [] : [`text of the pull request: ${tokensOf(pullRequest)}`]),
    ...checks.map(({ name, summary, items }) => {
      const text = items.map((item) => item.text).join('\n');
      return `evidence from ${name}: ${summary}, ${tokensOf(text)}`;
    }),
  ];
}

function tokensOf(text: string): string {
  return `about ${renderCount(Math.ceil(Buffer.byteLength(text) / bytesPerToken), 'token')}`;
}

/** Vendors charge less for a beginning that they have seen before. */
function describeBeginning(chunks: readonly Chunk[], { read }: PreparedChange): readonly string[] {
  const shared = sharedBeginning(chunks.map(({ files }) => reviewRequest(read.counted.brief, files)));
  if (shared === null) return [];
  const tokens = renderCount(Math.ceil(shared.characters / bytesPerToken), 'token');
  return [
    `each request begins with the same ${tokens}, about ${Math.floor(shared.share * 100)} % of its text before the diff`,
  ];
}

/** `auto` is planned as a model, because it uses one if there is one. */
async function evidenceFor(
  chunks: readonly Chunk[],
  { read, headOf }: PreparedChange,
  { settings, signal }: ReviewOptions,
): Promise<RuleReport['evidence']> {
  const { advisor } = settings;
  const isModel = advisor === 'auto' || (await assuranceOf(advisor)) === 'model';
  return isModel
    ? (await examine(chunks, await examineChange(read, { rules: settings.rules, headOf }, signal))).found
    : {};
}

async function assuranceOf(advisor: string): Promise<Assurance> {
  return (await loadProvider(parseProviderChoice(advisor).provider)).assurance;
}

function promptOf(chunk: Chunk, { read }: PreparedChange, evidence: string | null): string {
  const { text } = renderRequest(reviewRequest(read.counted.brief, chunk.files, evidence), {
    budgetCharacters: null,
    // The run draws the names of its fences; this prompt is never sent.
    nonce: measuringNonce,
  });
  return `\n---- prompt of ${chunk.name} ----\n${text}`;
}
