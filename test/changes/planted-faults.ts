/** Faults that were planted in a change: their places, and those that a review with only rules finds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readAnswer } from '../../src/parsers/answers/read-answer.ts';
import type { ReviewIssue } from '../../src/parsers/answers/answer-types.ts';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import type { DiffFile } from '../../src/parsers/diff/types.ts';
import { placeIssue } from '../../src/review/findings/anchors.ts';
import { takeCensus } from '../../src/review/census/census.ts';
import { everything } from '../../src/review/census/selection.ts';
import { maskSecrets } from '../../src/secrets/mask-secrets.ts';
import { severities } from '../../src/tags/severities.ts';
import { findByRules } from '../../src/providers/static_review/evidence.ts';
import { foundByRule } from '../../src/providers/static_review/rule-finding.ts';
import { staticReviewTurn } from '../../src/providers/static_review/review-turn.test-helper.ts';

const faultSchema = z.strictObject({
  path: z.string(),
  side: z.enum(['new', 'old']),
  line: z.int().positive(),
  severity: z.enum(severities),
  rule: z.string(),
});
export type PlantedFault = z.infer<typeof faultSchema>;

/** Of an `*.expected.json`. */
export function readFaults(json: string): readonly PlantedFault[] {
  return z.array(faultSchema).parse(JSON.parse(json)).toSorted(byPlace);
}

/**
 * The result of a review by all rules: the census selects the files, the answer is parsed, and quotations give the
 * places.
 */
export async function staticFindings(diff: string): Promise<readonly PlantedFault[]> {
  const reading = readAnswer(await answerOn(reviewable(diff)), '[RESPONSE:REVIEW]');
  if (reading.kind !== 'whole') throw new Error(`the answer is ${reading.kind}`);
  const masked = reviewable(maskSecrets(diff).text);
  return (reading.issues ?? []).map((issue) => faultOf(issue, masked)).toSorted(byPlace);
}

/** Every file of a folder, by name. */
export function folderTexts(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

function reviewable(diff: string): readonly DiffFile[] {
  return takeCensus(parseUnifiedDiff(diff), everything).reviewable;
}

async function answerOn(change: readonly DiffFile[]): Promise<string> {
  const { signal } = new AbortController();
  const found = (await findByRules(change, { rules: 'all' }, signal)).map(foundByRule);
  const { result } = await staticReviewTurn(change, { found });
  return result.kind === 'answered' ? result.text : result.kind;
}

function faultOf(issue: ReviewIssue, change: readonly DiffFile[]): PlantedFault {
  const place = placeIssue(issue, change);
  if (place.placement !== 'exact') throw new Error(`"${issue.title}" has no exact place`);
  return {
    path: place.path ?? '',
    side: place.side ?? 'new',
    line: place.startLine ?? 0,
    severity: issue.severity,
    rule: /Rule: `([\w-]+)`/.exec(issue.text)?.[1] ?? '',
  };
}

function byPlace(left: PlantedFault, right: PlantedFault): number {
  if (left.path !== right.path) return left.path < right.path ? -1 : 1;
  return left.line - right.line;
}
