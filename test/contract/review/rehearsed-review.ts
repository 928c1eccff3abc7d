/**
 * A review of three chunks by a rehearsed advisor that plays every kind of turn: a question back, a time-out whose
 * rest is requested later, a busy moment, a missing section. The lead confirms one finding after its verdict could not
 * be read, rejects one, and is not sure of the third. Every call leaves its beginning and its end in a log.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import { reviewResultSchema, type ReviewResult } from '../../../src/review/outcome/result.ts';
import { noTokens } from '../../../src/events/tokens.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { readJournal } from '../../../src/engine/journal/journal-reader.ts';
import { collectRecords } from '../../../src/engine/journal/recorded-events.ts';
import { reviewOptions } from '../../../src/runs/review-options.test-helper.ts';
import { writeRunInput } from '../../../src/runs/folder/run-input.ts';
import { chooseOptionalLead } from '../../../src/runs/agents/lead-choice.ts';
import { prepareReview, takeChange } from '../../../src/runs/review/prepare.ts';
import { continueRun } from '../../../src/runs/continue-run.ts';
import type { ContinueOptions } from '../../../src/runs/run-kind.ts';
import {
  answer,
  answerOf,
  changeOf,
  cleanAnswer,
  issues,
  markOf,
  strengths,
  suggestions,
  verdict,
} from '../../fixtures/review-answers.ts';

export const runId = '20261121-093005-kill';

/** The places of one run: the change, the script, its call log, the run folder, a HOME. */
export interface Stage {
  readonly folder: string;
  readonly runFolder: string;
  readonly env: Readonly<Record<'HOME' | 'PATH' | 'TMPDIR', string>>;
}

export function stageIn(folder: string): Stage {
  return {
    folder,
    runFolder: join(folder, '.collab/runs', runId),
    env: { HOME: join(folder, 'home'), PATH: '/usr/bin:/bin', TMPDIR: join(folder, 'home') },
  };
}

export interface StageOptions {
  /** Default: the rehearsed one. */
  readonly advisor?: string;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * `quick`: no findings are checked. `deep`: two chunks, every pass finds something, and the advisor checks the
   * findings itself. Default: as above.
   */
  readonly effort?: 'quick' | 'deep';
}

const rehearsed = 'rehearsal:script.yaml';

/** A run folder that holds only its input, as `collab review` leaves it to the driver. */
export async function prepareStage(
  folder: string,
  { advisor, env, effort }: StageOptions = {},
): Promise<Stage> {
  const stage = stageIn(folder);
  mkdirSync(join(folder, 'home'), { recursive: true });
  mkdirSync(stage.runFolder, { recursive: true });
  writeFileSync(join(folder, 'change.diff'), changeOf(effort === 'deep' ? 2 : 3));
  writeFileSync(join(folder, 'script.yaml'), stringify(effort === 'deep' ? deepScript : script));
  const options = reviewOptions({
    cwd: folder,
    env: env ?? stage.env,
    change: { kind: 'file', path: join(folder, 'change.diff') },
    // The call of a lost record is repeated here; an answer that is kept outside the run would hide that.
    settings: {
      advisor: advisor ?? rehearsed,
      cache: false,
      chunk_tokens: 500,
      waits_ms: [1, 1, 1],
      ...(effort === undefined ? {} : { effort }),
    },
    lead:
      advisor === undefined && effort === undefined
        ? await chooseOptionalLead({ lead: rehearsed, env: stage.env })
        : null,
  });
  writeRunInput(stage.runFolder, await prepareReview(options, await takeChange(options)));
  return stage;
}

export function driveStage(
  stage: Pick<ContinueOptions, 'runFolder' | 'env'>,
  hooks: Pick<ContinueOptions, 'onEvent' | 'onCommit'> = {},
) {
  return continueRun({
    runFolder: stage.runFolder,
    runId,
    env: stage.env,
    clock: systemClock,
    signal: new AbortController().signal,
    recorded: collectRecords(stage.runFolder),
    ...hooks,
  });
}

/** The result without the parts that differ from run to run: times, and the cost of lost calls. */
export function resultOf({ runFolder }: Stage): ReviewResult {
  const text = readFileSync(join(runFolder, 'result.json'), 'utf8');
  const result = reviewResultSchema.parse(JSON.parse(text));
  return {
    ...result,
    usage: noTokens,
    cost_usd: null,
    usage_by: [],
    started_at: '',
    ended_at: result.ended_at === null ? null : '',
    exchanges: result.exchanges.map((exchange) => ({
      ...exchange,
      attempts: exchange.attempts.map((attempt) => ({ ...attempt, duration_ms: 0 })),
    })),
  };
}

export function eventsOf({ runFolder }: Stage): readonly CollabEvent[] {
  return existsSync(journalFile(runFolder)) ? readJournal(journalFile(runFolder)).events : [];
}

/** Calls that were begun, as the steps they belong to: `review/chunk-1/turn-2`, `review/verify-F1/ask-1/turn-1`. */
export function callsOf({ folder }: Stage): readonly string[] {
  return logOf(folder).flatMap((line) => stepOfCall(line) ?? []);
}

function stepOfCall(line: string): string | null {
  const [, exchange, turnOfExchange] = /^begin ex_([^/]+)\/(\d+)\//.exec(line) ?? [];
  if (exchange !== undefined) return `review/${exchange}/turn-${turnOfExchange}`;
  const [, chunk, reverse] = /^begin lead_(chunk-\d)-(reverse-\d)\//.exec(line) ?? [];
  if (chunk !== undefined) return `review/${chunk}/${reverse}`;
  const [, finding, asking, number] =
    /^begin (?:lead|advisor)_review-(verify-F\d+)-(ask-\d)\/(\d+)\//.exec(line) ?? [];
  return finding === undefined ? null : `review/${finding}/${asking}/turn-${number}`;
}

export function finishedSteps(events: readonly CollabEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'step.ended' ? [event.step] : []));
}

function logOf(folder: string): readonly string[] {
  const log = join(folder, 'calls.log');
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [];
}

/** Larger than a journal line may hold: the turn's value goes into a blob. */
const longStrengths = `## STRENGTHS\n${'- A small function with a name that says it all.\n'.repeat(400)}`;

const script = {
  call_log: 'calls.log',
  turns: [
    turn(1, 1, '[CONSULT:CLAUDE:CONTEXT]\n\nWhich version is it for?\n'),
    turn(1, 2, answerOf(1).replace(strengths, longStrengths)),
    // A lost call is repeated in a fresh session, so that its prompt shows whether it is about the whole chunk or its
    // rest.
    {
      when: { chunk: 2, attempt: 1, contains: markOf(2) },
      repeat: 'forever',
      fault: 'timed_out',
      harvest: 'not_sent',
    },
    turn(2, 2, answerOf(2)),
    { ...turn(2, 1, cleanAnswer), harvest: 'not_sent' },
    { when: { chunk: 3, attempt: 1 }, repeat: 'forever', fault: 'overloaded', retry_after_ms: 1 },
    turn(3, 2, answer(strengths, issues)),
    turn(3, 3, answer(suggestions)),
    says({ work: 'answer_back' }, '## CONTEXT\n\nThe next one.\n'),
    says({ work: 'verify', contains: 'could not be read' }, verdict('confirm', 'None')),
    says({ work: 'verify', contains: 'Fault of file 1' }, 'It is so.'),
    says(
      { work: 'verify', contains: 'Fault of file 2' },
      verdict('reject', '`src/part-2.ts:2`\n```\nexport const value2x0 = 0;\n```'),
    ),
    { when: { work: 'verify', attempt: 1 }, repeat: 'forever', fault: 'overloaded', retry_after_ms: 1 },
    says({ work: 'verify', attempt: 2 }, verdict('unsure', 'None')),
  ],
};

const deepScript = {
  call_log: 'calls.log',
  turns: [
    says({ chunk: 1, contains: 'This pass is about security' }, answerOf(1)),
    says({ chunk: 2, contains: 'Other passes over this change are done' }, answerOf(2)),
    says({ role: 'advisor', work: 'verify', contains: 'Fault of file 1' }, verdict('confirm', 'None')),
    says(
      { role: 'advisor', work: 'verify' },
      verdict('reject', '`src/part-2.ts:2`\n```\nexport const value2x0 = 0;\n```'),
    ),
    says({}, cleanAnswer),
  ],
};

function says(when: object, text: string) {
  return { when, repeat: 'forever', answer: text, usage: { input: 5, output: 5, cost: 0.001 } };
}

function turn(chunk: number, attempt: number, text: string) {
  return {
    when: { chunk, attempt },
    repeat: 'forever',
    answer: text,
    usage: { input: 10 * chunk, output: attempt, cost: 0.001 },
  };
}
