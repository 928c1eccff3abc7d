/**
 * Qodo's PR-Review-Bench (huggingface.co/datasets/Qodo/PR-Review-Bench): `git_code_review_bench_100_w_open_prs.jsonl`. Its fields
 * are as three other programs read them at revision a73957c; the file itself was not available to us.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { QualityError, type BenchmarkSet, type KnownFault } from './benchmark-set.ts';
import { changeSource, pullRequestName } from './change-source.ts';
import { readJsonLines } from './read-json.ts';

const line = z.coerce.number().int().nonnegative().nullish();

const issueSchema = z.looseObject({
  title: z.string().nullish(),
  description: z.string().nullish(),
  file_path: z.string().nullish(),
  start_line: line,
  end_line: line,
});

const rowSchema = z.looseObject({ pr_url_to_review: z.string(), issues: z.array(issueSchema) });

export function qodoFile(folder: string): string | null {
  const file = join(folder, 'git_code_review_bench_100_w_open_prs.jsonl');
  return existsSync(file) ? file : null;
}

/** @throws QualityError */
export function loadQodoSet(folder: string, file: string): BenchmarkSet {
  const changes = readJsonLines(file, rowSchema).map(({ pr_url_to_review: url, issues }) => {
    const name = pullRequestName(url);
    if (name === null) throw new QualityError(`${file}: ${url} is no pull request`, 'Fetch it again.');
    return { name, source: changeSource(folder, name, null), faults: issues.map(readFault) };
  });
  return { format: 'Qodo PR-Review-Bench', changes };
}

/** Zero means that the set does not know the line. */
function readFault(issue: z.infer<typeof issueSchema>, index: number): KnownFault {
  const start = issue.start_line || issue.end_line || null;
  return {
    id: String(index + 1),
    text: [issue.title, issue.description].filter(Boolean).join('\n'),
    path: issue.file_path || null,
    start_line: start,
    end_line: start === null ? null : Math.max(start, issue.end_line ?? start),
    side: 'new',
    severity: [],
    words: [],
  };
}
