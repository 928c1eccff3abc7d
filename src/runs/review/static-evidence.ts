/** The rules of `static_review` check every change: their issues are findings, and are listed in a model's prompt. */
import type { PlanInput, RuleReport } from '../../machine/review/review-machine.ts';
import { linesOf, subtractRanges } from '../../parsers/diff/ranges.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { foundByRule } from '../../providers/static_review/rule-finding.ts';
import type { HeadReader, ScanOptions } from '../../providers/static_review/scan-change.ts';
import type { RuleIssue } from '../../review/findings/rule-issue.ts';
import type { Chunk } from '../../review/census/chunks.ts';
import { digestOf } from '../../text/digest.ts';
import type { RunContext } from '../../engine/port.ts';
import type { RunInput } from '../folder/run-input.ts';
import type { ReadChange } from './read-change.ts';

/** The masked change, with the issues found before masking. */
type ReadForRules = Pick<ReadChange, 'counted' | 'secrets' | 'allSecrets' | 'skipped'>;

export interface ExaminedDrive {
  readonly input: Pick<RunInput, 'advisor' | 'settings'>;
  /** Issues that the rules found before the change was masked; null if the rules check it in this drive. */
  readonly examined: ExaminedChange | null;
  /** The change; null if there is none to review. */
  readonly change: ReadForRules | null;
  /** Returns the whole text of a changed file; omitted if only the change is known. */
  readonly headOf?: HeadReader;
}

export interface ExaminedChange {
  /** Quotations are masked. */
  readonly issues: RuleIssue[];
  /** Why the rules failed; null if they read everything. */
  readonly fault: string | null;
}

interface Examined extends ExaminedChange {
  /** In words, by chunk. */
  readonly found: RuleReport['evidence'];
  /** The rule sets that checked each chunk. */
  readonly ruleSets: Readonly<Record<string, readonly string[]>>;
}

/**
 * Recorded as a separate step, so that every drive reports the same. The rules as the advisor get no evidence: it is
 * their own. If there is nothing to review, only secrets in skipped files are reported.
 */
export async function examineChunks(
  context: RunContext,
  { input, examined, change, headOf }: ExaminedDrive,
  { path, chunks }: Pick<PlanInput, 'path' | 'chunks'>,
): Promise<RuleReport> {
  if (chunks.length === 0) return { evidence: {}, ...(examined ?? (await examineSkipped(change))) };
  const lines = digestOf(chunks.map(({ name, files }) => [name, linesOf(files)]));
  const { found, issues, fault } = await context.child(`${path}/rules`, (scope) =>
    scope.step<Examined>(
      'findings',
      { lines },
      async ({ signal }) => ({
        value: await examine(
          chunks,
          examined ?? (await examineChange(change, { rules: input.settings.rules, headOf }, signal)),
        ),
      }),
      { repeatable: true },
    ),
  );
  return { evidence: input.advisor.assurance === 'static' ? {} : found, issues, fault };
}

/** Applies the rules of the settings to the reviewed files, and finds the secrets in the others. */
export async function examineChange(
  change: ExaminedDrive['change'],
  { rules, headOf }: Pick<ScanOptions, 'rules' | 'headOf'>,
  signal: AbortSignal,
): Promise<ExaminedChange> {
  const { counted, secrets } = change ?? {};
  try {
    // Its parser of syntax trees is a native module, loaded only here.
    const { findByRules } = await import('../../providers/static_review/evidence.ts');
    const findings = await findByRules(
      counted?.files ?? [],
      { secrets: secrets?.reported ?? [], rules, headOf },
      signal,
    );
    const inSkipped = await examineSkipped(change);
    return { issues: [...findings.map(foundByRule), ...inSkipped.issues], fault: null };
  } catch (error) {
    signal.throwIfAborted();
    // The advisor reviews the change anyway, and the secrets are known already.
    const { issues } = await secretsIn([...(counted?.files ?? []), ...(change?.skipped ?? [])], change);
    return { issues, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Finds the secrets in lines that are not reviewed. */
export async function examineSkipped(change: ExaminedDrive['change']): Promise<ExaminedChange> {
  return secretsIn(change?.skipped ?? [], change);
}

async function secretsIn(
  files: readonly DiffFile[],
  change: Pick<ReadForRules, 'allSecrets'> | null,
): Promise<ExaminedChange> {
  const { reported } = change?.allSecrets ?? { reported: [] };
  if (files.length === 0 || reported.length === 0) return { issues: [], fault: null };
  const { secretsInFiles } = await import('../../providers/static_review/scan-skipped.ts');
  return { issues: secretsInFiles(files, reported).map(foundByRule), fault: null };
}

/** Describes the issues in words, by chunk. */
export async function examine(chunks: readonly Chunk[], examined: ExaminedChange): Promise<Examined> {
  const { describeFindings, ruleSetsOf } = await import('../../providers/static_review/describe-findings.ts');
  const found: Record<string, string> = {};
  const ruleSets: Record<string, readonly string[]> = {};
  for (const { name, files } of chunks) {
    const words = describeFindings(issuesWithin(files, examined.issues));
    ruleSets[name] = ruleSetsOf(files);
    if (words !== null) found[name] = words;
  }
  return { ...examined, found, ruleSets };
}

export function issuesWithin(files: readonly DiffFile[], issues: readonly RuleIssue[]): readonly RuleIssue[] {
  const lines = linesOf(files);
  return issues.filter(({ path, side, startLine: start, endLine: end }) => {
    const range = { path, side, start, end };
    return digestOf(subtractRanges([range], lines)) !== digestOf([range]);
  });
}
