/** A review by a rehearsal script in its own folder, driven in this process. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { CollabEvent } from '../events/collab-event.ts';
import { systemClock, type Clock } from '../system/clock.ts';
import { takeBaseline } from '../review/findings/baseline.ts';
import type { Assurance } from '../review/outcome/coverage.ts';
import type { ReviewResult } from '../review/outcome/result.ts';
import type { ScratchRepository } from '../../test/fixtures/scratch-repository.ts';
import type { Departure } from '../engine/port.ts';
import { chooseOptionalLead } from './agents/lead-choice.ts';
import type { QuestionAnswerer } from '../engine/drive/perform-options.ts';
import { readJournal } from '../engine/journal/journal-reader.ts';
import { journalFile } from '../engine/journal/journal.ts';
import { collabHome, createRunFolder } from './folder/run-folder.ts';
import { writeRunInput, type ReviewSettings } from './folder/run-input.ts';
import { reviewOptions } from './review-options.test-helper.ts';
import { prepareReview, takeChange } from './review/prepare.ts';
import { continueRun } from './continue-run.ts';
import type { RunResult } from './folder/result-file.ts';

export const wholeAnswer = `[RESPONSE:REVIEW]

## STRENGTHS
- Small.

## ISSUES
None

## SUGGESTIONS
None
`;

export const smallDiff = `diff --git a/src/total.ts b/src/total.ts
--- a/src/total.ts
+++ b/src/total.ts
@@ -1,2 +1,3 @@
 export function total(items) {
+  const total = Math.round(subtotal(items));
   return total;
`;

export interface RehearsedReview {
  readonly cwd: string;
  readonly runFolder: string;
  drive(signal?: AbortSignal, onEvent?: (event: CollabEvent) => void): Promise<Departure<ReviewResult>>;
  journal(): readonly CollabEvent[];
  /** The current `result.json`. */
  result(): ReviewResult;
  /** The starts and ends of calls, in order. */
  calls(): readonly string[];
  /** The advisor's answers from the next drive on. */
  rewrite(turns: readonly object[]): void;
  close(): void;
}

export interface RehearsedOptions {
  readonly turns: readonly object[];
  readonly diff?: string;
  readonly settings?: Partial<ReviewSettings>;
  readonly advisor?: string;
  /** The assurance of the advisor's answers; a test may count a rehearsal's as a model's. */
  readonly assurance?: Assurance;
  readonly baseline?: ReviewResult;
  /** The lead; default: none. `rehearsal:script.yaml` plays the same script. */
  readonly lead?: string | undefined;
  readonly verify?: boolean;
  /** Reviews the last commit there instead of `diff`, so that the files can be read. */
  readonly repository?: Pick<ScratchRepository, 'root' | 'env'> | undefined;
  /** The folder of another review, to start this one in. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The clock of its drives. */
  readonly clock?: Clock;
  /** The answerer of its questions. */
  readonly answerer?: QuestionAnswerer;
}

/** Removed with the test. */
export async function rehearse(options: RehearsedOptions): Promise<RehearsedReview> {
  const review = await prepareRehearsed(options);
  onTestFinished(() => review.close());
  return review;
}

export function settledResult(departure: Departure<ReviewResult>): ReviewResult {
  if (departure.kind !== 'settled') throw new Error(`the run is ${departure.kind}`);
  return departure.result;
}

export async function prepareRehearsed(options: RehearsedOptions): Promise<RehearsedReview> {
  const { repository, answerer, clock = systemClock } = options;
  const asked = answerer === undefined ? {} : { answerer };
  const cwd = options.cwd ?? repository?.root ?? mkdtempSync(join(tmpdir(), 'collab-rehearsed-'));
  const rewrite = (turns: readonly object[]) =>
    writeFileSync(
      join(cwd, 'script.yaml'),
      stringify({ agent: { name: 'Codex' }, call_log: 'calls.log', turns }),
    );
  rewrite(options.turns);
  const env = { HOME: cwd, PATH: '/usr/bin:/bin', ...repository?.env, ...options.env };
  const call = reviewOptions({
    cwd,
    env,
    change:
      repository === undefined
        ? { kind: 'stdin', text: options.diff ?? smallDiff }
        : { kind: 'commit', sha: 'HEAD' },
    settings: {
      waits_ms: [1],
      ...options.settings,
      advisor: options.advisor ?? 'rehearsal:script.yaml',
      verify: options.verify ?? 'auto',
    },
    lead: options.lead === undefined ? null : await chooseOptionalLead({ lead: options.lead, env }),
    baseline: options.baseline === undefined ? null : takeBaseline(options.baseline, 'baseline.json'),
  });
  const input = await prepareReview(call, await takeChange(call));
  const { runId, path: runFolder } = createRunFolder(collabHome({ cwd, env }), systemClock);
  const { assurance = input.advisor.assurance } = options;
  writeRunInput(runFolder, { ...input, advisor: { ...input.advisor, assurance } });
  const log = join(cwd, 'calls.log');
  return {
    cwd,
    runFolder,
    drive: async (signal = new AbortController().signal, onEvent = () => {}) =>
      ofReview(await continueRun({ runFolder, runId, env, clock, signal, onEvent, ...asked })),
    journal: () => readJournal(journalFile(runFolder)).events,
    result: () => JSON.parse(readFileSync(join(runFolder, 'result.json'), 'utf8')),
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    rewrite,
    close: () => rmSync(cwd, { recursive: true, force: true }),
  };
}

function ofReview(departure: Departure<RunResult>): Departure<ReviewResult> {
  if (departure.kind !== 'settled') return departure;
  const { result } = departure;
  if (result.schema !== 'collab.review/v1') throw new Error(`the run left a ${result.schema}`);
  return { kind: 'settled', result };
}
