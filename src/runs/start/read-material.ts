/** Reads what a request adds to the change: the text of a pull request, the reports of checks, and the findings of other tools. */
import { basename } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { readCheckReport } from '../../parsers/checks/read-check-report.ts';
import { readSarifResults, type SarifResults } from '../../parsers/checks/read-sarif.ts';
import type { CheckReport } from '../../prompts/review/check-reports.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { visibleName } from '../../text/neutralise.ts';
import type { ImportedReport } from '../review/import-findings.ts';
import type { SettledChange } from './change-request.ts';
import { readTextInput } from './read-text-input.ts';
import type { StartPlace } from './start-place.ts';
import type { ReviewStart } from './start-request.ts';

export interface Material {
  /** Masked; null if none is given or it is empty. */
  readonly pullRequest: string | null;
  readonly checks: readonly CheckReport[];
  readonly imports: readonly ImportedReport[];
}

/** In bytes: more than hosts of pull requests accept. */
const mostTextBytes = 256 * 1024;
const mostReportBytes = 4 * 1024 * 1024;
const mostReports = 10;
/** The most results that a run keeps of one report; a request shows fewer. */
const mostItems = 200;

/** @throws CollabError `input`, `usage` */
export async function readMaterial(
  {
    pr_text: file,
    evidence = [],
    imports: imported = [],
  }: Pick<ReviewStart, 'pr_text' | 'evidence' | 'imports'>,
  { pullRequest }: Pick<SettledChange, 'pullRequest'>,
  place: Pick<StartPlace, 'cwd' | 'readInput'>,
): Promise<Material> {
  refuseTooMany('--evidence', evidence);
  refuseTooMany('--import', imported);
  const text = file === undefined ? (pullRequest ?? '') : await readPullRequestText(file, place);
  const checks: CheckReport[] = [];
  for (const report of evidence) checks.push(await readReport(report, place));
  const imports: ImportedReport[] = [];
  for (const report of imported) imports.push(await readImport(report, place));
  return { pullRequest: text.trim() === '' ? null : masked(text), checks, imports };
}

function refuseTooMany(flag: string, files: readonly string[]): void {
  if (files.length <= mostReports) return;
  throw new CollabError('usage', `${flag} is given ${files.length} times, at most ${mostReports} are read`);
}

/** Standard input can be read once. @throws CollabError `usage` */
export function refuseInputTwice({
  changes,
  pr_text,
  evidence = [],
  imports = [],
}: Pick<ReviewStart, 'changes' | 'pr_text' | 'evidence' | 'imports'>): void {
  const names = [
    ...changes.flatMap((change) => (change.kind === 'argument' && change.words === '-' ? ['the diff'] : [])),
    ...(pr_text === '-' ? ['--pr-text'] : []),
    ...evidence.flatMap((one) => (one === '-' ? ['--evidence'] : [])),
    ...imports.flatMap((one) => (one === '-' ? ['--import'] : [])),
  ];
  if (names.length < 2) return;
  throw new CollabError('usage', `${names.join(' and ')} cannot all be read from standard input`, {
    hint: 'name a file for all but one of them',
  });
}

function readPullRequestText(file: string, place: Pick<StartPlace, 'cwd' | 'readInput'>): Promise<string> {
  const what = 'the text of the pull request';
  return readTextInput(place, { file, flag: '--pr-text', what, mostBytes: mostTextBytes });
}

async function readReport(file: string, place: Pick<StartPlace, 'cwd' | 'readInput'>): Promise<CheckReport> {
  const limit = { what: `the evidence ${file}`, mostBytes: mostReportBytes };
  const text = await readTextInput(place, { file, flag: '--evidence', ...limit });
  // Messages are shortened, and half a secret would not be recognized; escapes may hide one until the report is read.
  const { summary, items } = readCheckReport(file, masked(text));
  return {
    name: reportName(file),
    summary: masked(summary),
    items: items.slice(0, mostItems).map((item) => ({
      path: item.path,
      text: masked(item.text),
    })),
  };
}

async function readImport(
  file: string,
  place: Pick<StartPlace, 'cwd' | 'readInput'>,
): Promise<ImportedReport> {
  const limit = { what: `the findings in ${file}`, mostBytes: mostReportBytes };
  const text = await readTextInput(place, { file, flag: '--import', ...limit });
  const { results } = readSarifResults(file, masked(text));
  return { name: reportName(file), results: results.map(maskResult) };
}

/** Escapes may hide a secret until the report is read. */
function maskResult(result: SarifResults['results'][number]): SarifResults['results'][number] {
  return {
    ...result,
    tool: masked(result.tool),
    rule: masked(result.rule),
    message: masked(result.message),
  };
}

function reportName(file: string): string {
  return visibleName(masked(file === '-' ? 'standard input' : basename(file)));
}
