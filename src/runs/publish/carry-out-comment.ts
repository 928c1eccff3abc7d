/** Carries out the command in a comment on a pull request. */
import { resolve } from 'node:path';
import { readCommentName } from '../../forge/commands/comment-name.ts';
import { carryOut } from '../../forge/commands/carry-out.ts';
import type { CommandReport, NextJob } from '../../forge/commands/command-facts.ts';
import { fixResultSchema, type FixResult } from '../../forge/commands/fix-result.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { describePullRequest } from '../../forge/contract.ts';
import { openCommentHost } from '../../forge/open-forge.ts';
import { unfinishedResult, type ReviewResult } from '../../review/outcome/result.ts';
import { readIfThere } from '../../system/files/read.ts';
import { appendLine, writeAtomically } from '../../system/files/write.ts';
import { sha256 } from '../../text/digest.ts';
import { parseJson } from '../../text/parse-json.ts';
import { neutralise } from '../../text/neutralise.ts';
import { checkCacheKey } from '../cache/cache-secret.ts';
import { openPullRequest, type WritingPlace } from './open-pull-request.ts';

export interface CommentRequest {
  /** `pr:123`, or the address of the page. */
  readonly words: string;
  /** The id of the comment. */
  readonly comment: string;
  /** A file that gets what the next job must do, a line `key=value` each; null: none. */
  readonly output: string | null;
  /** A file that gets the finding to fix, for `collab fix --from`; null: none. */
  readonly finding: string | null;
  /** The file of `collab fix --result`; null: the comment is read for the first time. */
  readonly fix: string | null;
}

/** Returns what was done, in words. @throws CollabError `usage`, `auth`, and the codes of `ForgeError` */
export async function carryOutComment(
  { words, comment, output, finding, fix }: CommentRequest,
  place: WritingPlace,
): Promise<string> {
  const { env, clock } = place;
  checkCacheKey(env);
  const name = readCommentName(comment);
  const pull = await openPullRequest(words, place);
  const host = await openCommentHost(pull.name, pull.forgePlace, pull.marks);
  const announce = (next: NextJob): void => {
    const { action, base, head } = next;
    if (next.action === 'fix') {
      if (finding === null)
        throw new CollabError('usage', 'the comment asks for a fix, and no file is named for its finding', {
          hint: 'Name one: --finding finding.json',
        });
      writeAtomically(finding, JSON.stringify(resultForFix(next, new Date(clock.now()).toISOString())));
    }
    if (output === null) return;
    const fields = { action, base, head, ...(next.action === 'fix' ? { finding: next.finding.id } : {}) };
    for (const [key, value] of Object.entries(fields)) appendLine(output, `${key}=${value}`);
  };
  const options = { host, marks: pull.marks, name, announce };
  const report = await carryOut(fix === null ? options : { ...options, fix: readFix(fix) });
  return neutralise(`${describePullRequest(pull.name)}: ${describe(report)} (${host.note})\n`);
}

/** Reads a file that another job left: it may be missing, and is not trusted. @throws CollabError `result_file` */
function readFix(file: string): FixResult | 'missing' {
  const bytes = readIfThere(resolve(file));
  if (bytes === null) return 'missing';
  const read = fixResultSchema.safeParse(parseJson(bytes));
  if (read.success) return read.data;
  throw new CollabError('result_file', `${file} is not the result of collab fix --result`);
}

/** The result of a review with one finding. */
function resultForFix(
  { base, head, finding }: Extract<NextJob, { action: 'fix' }>,
  at: string,
): ReviewResult {
  const unfinished = unfinishedResult({
    state: 'running',
    run_id: 'comment',
    started_at: at,
    input: { kind: 'range', base, head, digest: sha256(finding.identity) },
    advisor: null,
    lead: null,
    fail_on: 'minor',
  });
  return {
    ...unfinished,
    state: 'ended',
    outcome: 'findings',
    reasons: [],
    ended_at: at,
    findings: [finding],
    exit_code: 1,
  };
}

function describe(report: CommandReport): string {
  switch (report.did) {
    case 'ignored':
      return `nothing is done: ${report.because}`;
    case 'review':
      return `a review of ${report.head} is to begin`;
    case 'dismissed':
      return `F${report.number} is dismissed`;
    case 'fix':
      return `a fix of F${report.number} is to begin`;
    case 'fixed':
      return `the fix of F${report.number} is ${report.as}`;
    case 'answered':
      return `answered: ${report.with}`;
  }
  return report satisfies never;
}
