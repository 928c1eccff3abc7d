/** Findings of other tools become findings of the review: on changed lines, named after their tool, checked like all others. */
import { CollabError } from '../../errors/collab-error.ts';
import type { ToolResult } from '../../parsers/checks/read-sarif.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { RuleIssue } from '../../review/findings/rule-issue.ts';
import type { Severity } from '../../tags/severities.ts';
import { inShort } from '../../text/in-short.ts';
import { onOneLine } from '../../text/one-line.ts';
import { renderCount } from '../../text/quantities.ts';
import { fileNamed } from './read-change.ts';

/** A report of `--import`, masked. */
export interface ImportedReport {
  /** The file name. */
  readonly name: string;
  readonly results: readonly ToolResult[];
}

export interface ImportedFindings {
  readonly issues: readonly RuleIssue[];
  /** One line for each report, for the first lines of the run. */
  readonly notes: readonly string[];
}

/** More are a report about a whole project; each one costs a check. */
const mostIssues = 1000;
const longestTitle = 160;
// Together, with the slash between them, as long as a dismissal keeps.
const longestTool = 59;
const longestRule = 60;
const longestReason = 2000;

/** Keeps the results that begin on an added line. @throws CollabError `input` for more than a review can check */
export function importFindings(
  reports: readonly ImportedReport[],
  files: readonly DiffFile[],
): ImportedFindings {
  // A report may have a result for each line.
  const added = new Map(reports.length === 0 ? [] : files.map((file) => [file, addedLines(file)]));
  const found = reports.map(({ name, results }) => ({
    name,
    count: results.length,
    issues: distinct(results.flatMap((result) => issueOf(result, added) ?? [])),
  }));
  const issues = distinct(found.flatMap((report) => report.issues));
  if (issues.length > mostIssues) {
    throw new CollabError(
      'input',
      `--import names ${renderCount(issues.length, 'finding')} on changed lines, at most ${mostIssues} are checked`,
      { hint: 'Let the tool report its grave results only, or review a smaller change.' },
    );
  }
  const notes = found.map(
    (report) =>
      `import from ${report.name}: ${renderCount(report.issues.length, 'finding')} on changed lines, of ${renderCount(report.count, 'result')}`,
  );
  return { issues, notes };
}

/** Returns null if the result is not about the change. */
function issueOf(result: ToolResult, added: ReadonlyMap<DiffFile, AddedLines>): RuleIssue | null {
  const file = fileNamed(result.path, [...added.keys()]);
  if (file === null || result.lines === null) return null;
  const { start } = result.lines;
  const quoted = lineRun(added.get(file) ?? new Map(), start, result.lines.end);
  if (quoted.length === 0) return null;
  const message = onOneLine(result.message).trim();
  const [sentence = ''] = /^.*?[.!?](?=\s|$)|^.*$/.exec(message) ?? [];
  const rule = nameOf(result.rule, longestRule);
  const title = inShort(sentence.replace(/\.$/, ''), longestTitle) || rule || 'a result without a message';
  return {
    rule,
    tool: nameOf(result.tool, longestTool).replace(/^\W+/, '') || 'a tool without a name',
    severity: severityOf(result),
    title,
    why: inShort(result.message.trim(), longestReason) || title,
    fix: '',
    path: file.path,
    side: 'new',
    startLine: start,
    endLine: start + quoted.length - 1,
    quote: quoted.join('\n'),
    rejectable: true,
  };
}

/** A level says how sure a tool is rather than how grave a fault is, so none alone makes a finding Critical. */
function severityOf({ level, security }: ToolResult): Severity {
  if (security !== null) return security >= 9 ? 'critical' : security >= 7 ? 'important' : 'minor';
  return level === 'error' ? 'important' : 'minor';
}

/** The texts of a file's added lines, by their numbers. */
type AddedLines = ReadonlyMap<number, string>;

function addedLines(file: DiffFile): AddedLines {
  return new Map(
    file.hunks.flatMap(({ lines }) =>
      lines.flatMap(({ kind, newLine, text }): readonly [number, string][] =>
        kind === 'added' && newLine !== null ? [[newLine, text]] : [],
      ),
    ),
  );
}

/** The added lines from `start` on, without a gap; a long region is quoted by its first line. */
function lineRun(added: AddedLines, start: number, end: number): readonly string[] {
  const last = end - start < mostQuoted ? end : start;
  const run: string[] = [];
  for (let line = start; line <= last; line += 1) {
    const text = added.get(line);
    if (text === undefined) break;
    run.push(text);
  }
  return run;
}

const mostQuoted = 20;

function distinct(issues: readonly RuleIssue[]): readonly RuleIssue[] {
  const byKey = new Map(
    issues.map((issue) => [
      JSON.stringify([issue.tool, issue.rule, issue.path, issue.startLine, issue.title]),
      issue,
    ]),
  );
  return [...byKey.values()];
}

/** A name goes into prompts, reports and dismissals, which keep these characters only. */
function nameOf(name: string, most: number): string {
  return onOneLine(name.replaceAll(/[^\w\s@./+-]/g, ''))
    .slice(0, most)
    .trimEnd();
}
