/** `npm run quality`: measures reviews against known faults, or scores saved results. */
import { join } from 'node:path';
import { readArguments, usage, type MeasureArguments, type QualityArguments } from './arguments.ts';
import { renderComparison } from './compare.ts';
import { chooseJudge } from './judges/choose-judge.ts';
import { openQuestions, readJudgments } from './judges/judge-findings.ts';
import { judgeResults, measure, type MeasureContext } from './measure.ts';
import { renderResults } from './report.ts';
import { shippedRehearsal } from './review-change.ts';
import { isReviewed, savedResultsSchema, type SavedResults } from './scores/saved-results.ts';
import { QualityError } from './sets/benchmark-set.ts';
import { readJson } from './sets/read-json.ts';

/** Returns the exit code: 0, 2 for arguments or files that do not fit, 3 if a review did not come to its end. */
export async function runQuality(line: readonly string[], root: string): Promise<number> {
  const context = {
    root,
    shippedSet: join(root, 'bench/quality/changes'),
    print: (text: string) => void process.stdout.write(text),
  };
  try {
    return await perform(readArguments(line), context);
  } catch (error) {
    if (!(error instanceof QualityError)) throw error;
    process.stderr.write(`${error.message}\n  ${error.hint}\n`);
    return 2;
  }
}

async function perform(request: QualityArguments, context: MeasureContext): Promise<number> {
  switch (request.kind) {
    case 'help':
      context.print(`${usage}\n`);
      return 0;
    case 'shipped':
      return measureShipped(context);
    case 'measure':
      return show(await measure(request, context), context);
    case 'replay':
      return replay(request, context);
    case 'compare': {
      const [before, after] = [request.before, request.after].map((file) =>
        readJson(file, savedResultsSchema),
      );
      if (before !== undefined && after !== undefined) context.print(renderComparison(before, after));
      return 0;
    }
  }
}

/** Rules find the same in each run; one is enough. */
async function measureShipped(context: MeasureContext): Promise<number> {
  const byRules = await measure({ ...shipped, advisor: 'static_review', runs: 1 }, context);
  const rehearsed = await measure({ ...shipped, advisor: shippedRehearsal }, context);
  return Math.max(show(byRules, context), show(rehearsed, context));
}

const shipped: Omit<MeasureArguments, 'advisor'> = {
  kind: 'measure',
  set: null,
  runs: 3,
  only: null,
  limit: null,
  concurrency: 2,
  judge: null,
  judgments: null,
  out: null,
  yes: false,
  further: [],
};

async function replay(
  { file, judge, judgments, yes }: Extract<QualityArguments, { kind: 'replay' }>,
  context: MeasureContext,
): Promise<number> {
  const saved = readJson(file, savedResultsSchema);
  const results = { ...saved, judgments: [...saved.judgments, ...readJudgments(judgments)] };
  if (judge === null) return show(results, context);
  const chosen = chooseJudge(
    judge,
    saved.changes.flatMap(({ faults }) => faults),
  );
  const open = chosen.judge === null ? 0 : openQuestions(results, chosen.name).length;
  if (open > 0 && !yes) {
    context.print(`${open} calls of the judge ${chosen.name}; nothing was called; add --yes to start\n`);
    return 0;
  }
  return show(await judgeResults(results, chosen, judgments), context);
}

function show(results: SavedResults | null, { print }: MeasureContext): number {
  if (results === null) return 0;
  print(`${renderResults(results)}\n`);
  return results.reviews.every(isReviewed) ? 0 : 3;
}
