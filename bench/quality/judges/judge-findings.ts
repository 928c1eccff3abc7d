/** Has the findings of reviews judged, each question once. */
import { appendFileSync, existsSync } from 'node:fs';
import { readJsonLines } from '../sets/read-json.ts';
import { judgmentSchema, type Judgment, type SavedResults } from '../scores/saved-results.ts';
import { judgmentKey, questionOf, type Judge, type JudgeQuestion } from './judge.ts';

interface OpenQuestion {
  readonly key: string;
  readonly question: JudgeQuestion;
}

/** The questions without a judgment. Rejected findings and changes without a fault need none. */
export function openQuestions(
  { changes, reviews, judgments }: SavedResults,
  judge: string,
): readonly OpenQuestion[] {
  const known = new Set(judgments.map(({ key }) => key));
  const open = new Map<string, OpenQuestion>();
  for (const { change, findings } of reviews) {
    const faults = changes.find(({ name }) => name === change)?.faults ?? [];
    if (faults.length === 0) continue;
    for (const finding of findings) {
      const question = questionOf(faults, finding);
      const key = judgmentKey(judge, question);
      if (finding.verdict !== 'rejected' && !known.has(key)) open.set(key, { key, question });
    }
  }
  return [...open.values()];
}

/** Appends each judgment to `file` as it is made, so that none is paid for twice. @throws Error of the judge */
export async function judgeAll(
  questions: readonly OpenQuestion[],
  judge: Judge,
  file: string | null,
): Promise<readonly Judgment[]> {
  const judgments: Judgment[] = [];
  for (const { key, question } of questions) {
    const judgment = { key, same: [...(await judge.judge(question))] };
    if (file !== null) appendFileSync(file, `${JSON.stringify(judgment)}\n`);
    judgments.push(judgment);
  }
  return judgments;
}

/** @throws QualityError for a damaged file */
export function readJudgments(file: string | null): readonly Judgment[] {
  return file !== null && existsSync(file) ? readJsonLines(file, judgmentSchema) : [];
}
