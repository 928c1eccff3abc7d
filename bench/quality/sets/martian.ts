/** Martian's code review bench (github.com/withmartian/code-review-benchmark): `offline/golden_comments`, read at commit 0cac6c1. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Severity } from '../../../src/tags/severities.ts';
import { QualityError, type BenchmarkSet } from './benchmark-set.ts';
import { changeSource, pullRequestName } from './change-source.ts';
import { readJson } from './read-json.ts';

const commentSchema = z.looseObject({ comment: z.string().min(1), severity: z.string().nullish() });

const pullRequestsSchema = z.array(z.looseObject({ url: z.string(), comments: z.array(commentSchema) }));

/** The set's four levels in our three. */
const severityOf: Readonly<Record<string, readonly Severity[]>> = {
  critical: ['critical'],
  high: ['critical', 'important'],
  medium: ['important', 'minor'],
  low: ['minor'],
};

export function martianFolder(folder: string): string | null {
  const folders = ['offline/golden_comments', 'golden_comments'].map((place) => join(folder, place));
  return folders.find((place) => existsSync(place)) ?? null;
}

/** The comments have no files and no lines: only their meaning can be compared. @throws QualityError */
export function loadMartianSet(folder: string, comments: string): BenchmarkSet {
  const files = readdirSync(comments)
    .filter((file) => file.endsWith('.json'))
    .toSorted();
  const changes = files.flatMap((file) =>
    readJson(join(comments, file), pullRequestsSchema).map((request) => {
      const name = pullRequestName(request.url);
      if (name === null)
        throw new QualityError(`${file}: ${request.url} is no pull request`, 'Fetch it again.');
      return {
        name,
        source: changeSource(folder, name, null),
        faults: request.comments.map(({ comment, severity }, index) => ({
          id: String(index + 1),
          text: comment,
          path: null,
          start_line: null,
          end_line: null,
          side: 'new' as const,
          severity: severityOf[severity?.toLowerCase() ?? ''] ?? [],
          words: [],
        })),
      };
    }),
  );
  return { format: "Martian's code review bench", changes };
}
