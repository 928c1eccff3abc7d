/** AACR-Bench (github.com/alibaba/aacr-bench): `dataset/positive_samples.json`, read at commit 665a815. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { QualityError, type BenchmarkSet, type KnownFault } from './benchmark-set.ts';
import { changeSource, pullRequestName } from './change-source.ts';
import { readJson } from './read-json.ts';

const line = z.int().positive().nullish();

const commentSchema = z.looseObject({
  note: z.string().min(1),
  path: z.string().min(1),
  side: z.string().nullish(),
  from_line: line,
  to_line: line,
});

const samplesSchema = z.array(
  z.looseObject({
    githubPrUrl: z.string(),
    source_commit: z.string().min(1),
    target_commit: z.string().min(1),
    comments: z.array(commentSchema),
  }),
);

export function aacrFile(folder: string): string | null {
  const files = ['positive_samples.json', 'dataset/positive_samples.json'].map((file) => join(folder, file));
  return files.find((file) => existsSync(file)) ?? null;
}

/** @throws QualityError */
export function loadAacrSet(folder: string, file: string): BenchmarkSet {
  const changes = readJson(file, samplesSchema).map((sample) => {
    const request = pullRequestName(sample.githubPrUrl);
    if (request === null)
      throw new QualityError(`${file}: ${sample.githubPrUrl} is no pull request`, 'Fetch it again.');
    // The set may have a pull request at more than one commit.
    const name = `${request}__${sample.target_commit.slice(0, 7)}`;
    const commits = { base: sample.source_commit, head: sample.target_commit };
    return { name, source: changeSource(folder, name, commits), faults: sample.comments.map(readFault) };
  });
  return { format: 'AACR-Bench', changes };
}

/** In some comments of the set, the last line is before the first. */
function readFault(comment: z.infer<typeof commentSchema>, index: number): KnownFault {
  const lines = [comment.from_line, comment.to_line].filter((value) => typeof value === 'number');
  return {
    id: String(index + 1),
    text: comment.note,
    path: comment.path,
    start_line: lines.length === 0 ? null : Math.min(...lines),
    end_line: lines.length === 0 ? null : Math.max(...lines),
    side: comment.side === 'left' ? 'old' : 'new',
    severity: [],
    words: [],
  };
}
