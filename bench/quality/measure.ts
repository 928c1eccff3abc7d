/** Reviews the changes of a set several times, saves each result and judges the findings. */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import type { MeasureArguments } from './arguments.ts';
import { addCosts, costOf, effortIn, renderCost, type CostRange } from './cost.ts';
import { chooseJudge, type ChosenJudge } from './judges/choose-judge.ts';
import { judgeAll, openQuestions, readJudgments } from './judges/judge-findings.ts';
import { isFree, planChange, reviewChange, type ReviewOptions } from './review-change.ts';
import {
  isReviewed,
  savedResultsSchema,
  type SavedResults,
  type SavedReview,
} from './scores/saved-results.ts';
import { QualityError, type ChangeSource, type SetChange } from './sets/benchmark-set.ts';
import { chooseChanges, loadSet } from './sets/load-set.ts';
import { readJson } from './sets/read-json.ts';

type FetchedChange = SetChange & { readonly source: ChangeSource };

export interface MeasureContext {
  readonly root: string;
  readonly shippedSet: string;
  readonly print: (text: string) => void;
}

/** Resolves with null if only the cost was printed. @throws QualityError */
export async function measure(
  request: MeasureArguments,
  { root, shippedSet, print }: MeasureContext,
): Promise<SavedResults | null> {
  const set = loadSet(request.set ?? shippedSet);
  const named = chooseChanges(set.changes, request);
  const changes = fetched(named, request.set ?? shippedSet);
  if (changes.length < named.length)
    print(
      `${named.length - changes.length} of ${named.length} changes are left out: their diffs are not in the folder\n`,
    );
  const judge = chooseJudge(
    request.judge,
    changes.flatMap(({ faults }) => faults),
  );
  const empty: SavedResults = {
    schema: 'collab.quality/v1',
    format: set.format,
    advisor: request.advisor,
    arguments: [...request.further],
    runs: request.runs,
    changes: changes.map(({ name, faults }) => ({ name, faults: faults.map(copyFault) })),
    reviews: [],
    judge: judge.name,
    judgments: [...readJudgments(request.judgments)],
  };
  const former = formerResults(request.out, empty);
  const todo = remaining(changes, request.runs, former);
  const options = { root, advisor: request.advisor, further: request.further };
  if (!isFree(request.advisor) && todo.length > 0) {
    print(`${todo.length} reviews: ${renderCost(await costOfReviews(todo, options))}\n`);
    if (judge.judge !== null) print(`and one call of the judge ${judge.name} for each different finding\n`);
    if (!request.yes) {
      print('no model was called; add --yes to start\n');
      return null;
    }
  }
  const reviewed = await reviewAll(todo, former, {
    ...options,
    concurrency: request.concurrency,
    out: request.out,
  });
  const judged = await judgeResults(reviewed, judge, request.judgments);
  save(request.out, judged);
  return judged;
}

/** Adds the judgments that are missing. @throws QualityError if the judge fails */
export async function judgeResults(
  results: SavedResults,
  { name, judge }: ChosenJudge,
  file: string | null,
): Promise<SavedResults> {
  const named = { ...results, judge: name };
  if (judge === null) return named;
  try {
    const judgments = await judgeAll(openQuestions(named, name), judge, file);
    return { ...named, judgments: [...named.judgments, ...judgments] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new QualityError(
      message,
      'The reviews are saved if --out was given; add --judgments to keep judgments.',
    );
  }
}

interface Todo {
  readonly change: FetchedChange;
  readonly run: number;
}

function fetched(changes: readonly SetChange[], folder: string): readonly FetchedChange[] {
  const found = changes.flatMap(({ source, ...rest }) => (source === null ? [] : [{ ...rest, source }]));
  const [first] = changes;
  if (found.length === 0 && first !== undefined)
    throw new QualityError(
      `no diff of the set is in ${folder}`,
      `Fetch diffs/${first.name}.diff and the others; references/quality.md has a script.`,
    );
  return found;
}

/** @throws QualityError if the file is of another measurement */
function formerResults(out: string | null, empty: SavedResults): SavedResults {
  if (out === null || !existsSync(out)) return empty;
  const former = readJson(out, savedResultsSchema);
  if (factsOf(former) !== factsOf(empty))
    throw new QualityError(`${out} has results of another measurement`, 'Name another file with --out.');
  return {
    ...empty,
    reviews: former.reviews.filter(isReviewed),
    judgments: [...empty.judgments, ...former.judgments],
  };
}

function factsOf({ format, advisor, arguments: further, runs, changes }: SavedResults): string {
  return JSON.stringify({ format, advisor, further, runs, changes });
}

function remaining(
  changes: readonly FetchedChange[],
  runs: number,
  { reviews }: SavedResults,
): readonly Todo[] {
  const done = new Set(reviews.map(({ change, run }) => `${run} ${change}`));
  return Array.from({ length: runs }, (_, index) => index + 1).flatMap((run) =>
    changes.flatMap((change) => (done.has(`${run} ${change.name}`) ? [] : [{ change, run }])),
  );
}

async function costOfReviews(todo: readonly Todo[], options: ReviewOptions): Promise<CostRange> {
  const plans = new Map<string, CostRange>();
  for (const { change } of todo)
    if (!plans.has(change.name))
      plans.set(change.name, costOf(await planChange(change.source, options), effortIn(options.further)));
  return addCosts(
    todo.flatMap(({ change }) => plans.get(change.name) ?? []),
    1,
  );
}

/** Saves after each review: an interrupted measurement loses none that ended. */
async function reviewAll(
  todo: readonly Todo[],
  former: SavedResults,
  {
    concurrency,
    out,
    ...options
  }: ReviewOptions & { readonly concurrency: number; readonly out: string | null },
): Promise<SavedResults> {
  const reviews = [...former.reviews];
  const queue = [...todo];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      reviews.push(await reviewChange(next.change, next.run, options));
      save(out, { ...former, reviews: inOrder(reviews, former) });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { ...former, reviews: inOrder(reviews, former) };
}

function inOrder(reviews: readonly SavedReview[], { changes }: SavedResults): SavedReview[] {
  const names = changes.map(({ name }) => name);
  return reviews.toSorted(
    (one, other) => one.run - other.run || names.indexOf(one.change) - names.indexOf(other.change),
  );
}

function save(out: string | null, results: SavedResults): void {
  if (out === null) return;
  const next = `${out}.next`;
  writeFileSync(next, `${JSON.stringify(results, null, 2)}\n`);
  renameSync(next, out);
}

function copyFault({
  severity,
  words,
  ...fault
}: SetChange['faults'][number]): SavedResults['changes'][number]['faults'][number] {
  const { id, text, path, start_line, end_line, side } = fault;
  return { id, text, path, start_line, end_line, side, severity: [...severity], words: [...words] };
}
