/**
 * A change under review. Read `states` top to bottom: the census, the chunks, an exchange for each and each pass, the
 * places of the findings (in the change, then in whole files), the merged list, the passes for what was missed, the second
 * opinion, the report. Lines that a shortened prompt lost get another exchange.
 */
import { assign, setup, type ActorRefFrom } from 'xstate';
import { notProvided, withOutput } from '../chart.ts';
import type { DiffFile, LineRange } from '../../parsers/diff/types.ts';
import { markFixed } from '../../review/findings/mark-fixed.ts';
import { markOutside } from '../../review/findings/mark-outside.ts';
import { markKnown, type KnownFindings } from '../../review/findings/mark-known.ts';
import { changedLinesOf, filesWithin, subtractRanges } from '../../parsers/diff/ranges.ts';
import type { SectionSpec } from '../../tags/tags.ts';
import { planChunks, type Chunk } from '../../review/census/chunks.ts';
import { takeCensus, type Census } from '../../review/census/census.ts';
import type { FindingPlace, SearchedIssue } from '../../review/findings/anchors.ts';
import { mergeReview, type ChunkAnswer, type MergedReview } from '../../review/findings/merge.ts';
import { placeRuleIssues, type RuleIssue } from '../../review/findings/rule-issue.ts';
import { everything } from '../../review/census/selection.ts';
import { exchangeMachine } from '../exchange/exchange-machine.ts';
import type { ExchangeOutput } from '../exchange/exchange-types.ts';
import type { Budgets } from '../../config/repair-budgets.ts';
import { issuesToSearch, placeAnswer, withPlaces } from './place-answer.ts';
import { noBrief, type ReviewBrief } from '../../prompts/review/review-request.ts';
import type { Lens } from '../../prompts/review/passes.ts';
import type { Effort } from '../../tags/effort.ts';
import {
  lensesOf,
  mostMissedPasses,
  planFirst,
  planMissed,
  requestOfPass,
  type PlannedExchange,
} from './passes.ts';
import {
  applyJudgements,
  planSecondOpinion,
  tellSecondOpinion,
  type SecondOpinion,
  type SecondOpinionWay,
} from './second-opinion.ts';
import { verifyMachine, type VerifyInput, type VerifyOutput } from './verify-machine.ts';

export interface ReviewScope {
  /** The path of the review's steps: `review`, in a workflow `review/2`. */
  readonly path: string;
  /** The lead's change in this run; null if the run reviews a given change. */
  readonly made: MadeChange | null;
}

/** A change between two trees of the run's own working copy. */
export interface MadeChange {
  readonly task: string;
  /** The lead's description of it. */
  readonly words: string;
  /** Findings that it is meant to fix, as text; absent if it fixes none. */
  readonly fixes?: string;
  /** Sections of the answer that the skill requires in addition to the protocol's own. */
  readonly sections: readonly SectionSpec[];
  readonly base: string;
  readonly head: string;
  /** The result of the previous round; null in the first. */
  readonly former: string | null;
}

export interface ReviewInput extends ReviewScope {
  readonly budgets: Budgets;
  readonly chunk_tokens: number;
  readonly effort: Effort;
  /** The number of parallel exchanges, and of findings checked in parallel. */
  readonly concurrency: number;
  /** Which agent gives its opinion on the findings, and how. */
  readonly secondOpinion: SecondOpinionWay;
}

export interface CountedChange {
  readonly brief: ReviewBrief;
  readonly census: Census;
  /** The files under review, with whole hunks. */
  readonly files: readonly DiffFile[];
  /** Lines that the last fix wrote; null if this is not the review of a fix. */
  readonly fixed: readonly LineRange[] | null;
  /** Set only if earlier findings are known. */
  readonly known?: KnownFindings;
}

export interface PlanInput extends ReviewScope {
  readonly counted: CountedChange;
  readonly chunks: readonly Chunk[];
  /** The lenses of a deep review; null if one pass looks for everything. */
  readonly lenses: readonly Lens[] | null;
}

/** The findings of rules, made without a model. */
export interface RuleReport {
  /** Text for the prompt, by chunk name. */
  readonly evidence: Readonly<Partial<Record<string, string>>>;
  readonly issues: readonly RuleIssue[];
  /** Why the rules failed; null if they read everything. */
  readonly fault: string | null;
}

const nothingFound: RuleReport = { evidence: {}, issues: [], fault: null };

export interface ReviewOutput {
  readonly counted: CountedChange;
  readonly exchanges: readonly ExchangeOutput[];
  /** With the verdicts of the second opinion. */
  readonly merged: MergedReview;
  readonly secondOpinion: SecondOpinion;
  /** Why the rules failed; null if they read everything. */
  readonly rulesFault: string | null;
}

/** Issues that may be outside the change. */
export interface SearchInput extends ReviewScope {
  /** 1 for the first search; names its step. */
  readonly number: number;
  readonly issues: readonly SearchedIssue[];
}

/** Their places in the whole files, in the same order; null if there is none. */
export type SearchOutput = readonly (FindingPlace | null)[];

export type ReportInput = ReviewScope & ReviewOutput;

export interface ReviewContext {
  readonly settings: ReviewInput;
  readonly counted: CountedChange;
  readonly chunks: readonly Chunk[];
  readonly waiting: readonly PlannedExchange[];
  readonly byRules: RuleReport;
  readonly underway: Readonly<Record<string, ActorRefFrom<typeof exchangeMachine>>>;
  readonly exchanges: readonly ExchangeOutput[];
  readonly placed: readonly ChunkAnswer[];
  readonly merged: MergedReview;
  /** The number of passes so far that looked for what was missed. */
  readonly missedPasses: number;
  /** The number of findings before the last of them. */
  readonly foundBefore: number;
  readonly toVerify: readonly VerifyInput[];
  /** Findings that are not checked because there are too many. */
  readonly unchecked: readonly string[];
  readonly verifying: Readonly<Record<string, ActorRefFrom<typeof verifyMachine>>>;
  readonly verified: readonly VerifyOutput[];
}

/** The end of one of the exchanges or checks that run at the same time; the id of each begins with its kind. */
type ReviewEvent =
  | { readonly type: `xstate.done.actor.exchange.${string}`; readonly output: ExchangeOutput }
  | { readonly type: `xstate.done.actor.verify.${string}`; readonly output: VerifyOutput };

/** The number of splits after which a lost part of a chunk makes the review incomplete. */
const splitLimit = 3;

const nothingCounted: CountedChange = {
  brief: noBrief,
  census: takeCensus({ files: [], preamble: [], faults: [] }, everything),
  files: [],
  fixed: null,
};

export const reviewMachine = setup({
  types: {
    context: {} as ReviewContext,
    input: {} as ReviewInput,
    output: {} as ReviewOutput,
    events: {} as ReviewEvent,
  },
  actors: {
    count: notProvided<CountedChange, ReviewScope>('count'),
    plan: notProvided<RuleReport, PlanInput>('plan'),
    search: notProvided<SearchOutput, SearchInput>('search'),
    report: notProvided<null, ReportInput>('report'),
    exchange: exchangeMachine,
    verify: verifyMachine,
  },
  guards: {
    'every exchange has ended': ({ context }) =>
      context.waiting.length === 0 && Object.keys(context.underway).length === 0,
    'every place is in the change': ({ context }) => toSearch(context).length === 0,
    'something may have been missed': ({ context }) => mayHaveMissed(context),
    'every finding is judged': ({ context }) =>
      context.toVerify.length === 0 && Object.keys(context.verifying).length === 0,
  },
  actions: {
    'keep the census': assign((_, { output }: { readonly output: CountedChange }) => ({ counted: output })),
    'cut the change into chunks': assign(({ context }) => ({
      chunks: planChunks(context.counted.files, context.settings.chunk_tokens),
    })),
    'plan the first passes': assign(({ context: { chunks, settings, byRules } }) => ({
      waiting: planFirst(chunks, settings.effort, byRules.evidence),
    })),
    'plan a pass for what was missed': assign(({ context }) => {
      const { chunks, merged, missedPasses } = context;
      return {
        missedPasses: missedPasses + 1,
        foundBefore: merged.findings.length,
        waiting: planMissed(chunks, missedPasses + 1, merged.findings),
      };
    }),
    'keep what rules found': assign((_, { output }: { readonly output: RuleReport }) => ({
      byRules: output,
    })),
    'keep the exchange': assign(({ context }, { output }: { readonly output: ExchangeOutput }) =>
      keepExchange(context, output),
    ),
    'start exchanges': assign(({ context, spawn }) => {
      const starting = context.waiting.slice(0, freePlaces(context, context.underway));
      const { settings, counted } = context;
      const started = starting.map((planned) => {
        const path = `${settings.path}/${planned.name}`;
        const request = requestOfPass(counted.brief, planned);
        const parent = parentOf(path);
        const input = {
          name: exchangeName(path),
          path,
          ...(parent === null ? {} : { parent: exchangeName(parent) }),
          request,
          budgets: settings.budgets,
        };
        return [input.name, spawn('exchange', { id: `exchange.${input.name}`, input })];
      });
      return {
        waiting: context.waiting.slice(starting.length),
        underway: { ...context.underway, ...Object.fromEntries(started) },
      };
    }),
    'place the issues': assign(({ context }) => ({
      placed: context.exchanges.map((exchange) => placeAnswer(exchange, context.counted.files)),
    })),
    'keep the places found': assign(({ context }, { output }: { readonly output: SearchOutput }) => ({
      placed: withPlaces(context.placed, context.counted.files, output),
    })),
    'merge the findings': assign(({ context }) => ({
      merged: markKnown(markFixed(mergeAll(context), context.counted.fixed), context.counted.known),
    })),
    'plan the second opinion': assign(({ context }) => {
      const { requests, left } = planSecondOpinion({
        way: context.settings.secondOpinion,
        path: context.settings.path,
        budgets: context.settings.budgets,
        language: context.counted.brief.language,
        files: context.counted.files,
        findings: context.merged.findings,
        chunks: context.chunks.length,
      });
      return { toVerify: requests, unchecked: left };
    }),
    'ask the checking agent': assign(({ context, spawn }) => {
      const starting = context.toVerify.slice(0, freePlaces(context, context.verifying));
      const started = starting.map((input) => [
        input.name,
        spawn('verify', { id: `verify.${input.name}`, input }),
      ]);
      return {
        toVerify: context.toVerify.slice(starting.length),
        verifying: { ...context.verifying, ...Object.fromEntries(started) },
      };
    }),
    'keep the verdicts': assign(({ context }, { output }: { readonly output: VerifyOutput }) =>
      keepVerdicts(context, output),
    ),
    'apply the verdicts': assign(({ context }) => ({
      merged: {
        ...context.merged,
        findings: applyJudgements(context.merged.findings, context.verified),
      },
    })),
  },
}).createMachine({
  id: 'review',
  context: ({ input }) => ({
    settings: input,
    counted: nothingCounted,
    chunks: [],
    waiting: [],
    byRules: nothingFound,
    underway: {},
    exchanges: [],
    placed: [],
    merged: mergeReview([]),
    missedPasses: 0,
    foundBefore: 0,
    toVerify: [],
    unchecked: [],
    verifying: {},
    verified: [],
  }),
  initial: 'counting',
  states: {
    counting: {
      invoke: {
        id: 'counting',
        src: 'count',
        input: ({ context }) => scopeOf(context),
        onDone: {
          target: 'planning',
          actions: withOutput('keep the census'),
        },
      },
    },
    planning: {
      entry: 'cut the change into chunks',
      invoke: {
        id: 'planning',
        src: 'plan',
        input: ({ context }) => ({
          ...scopeOf(context),
          counted: context.counted,
          chunks: context.chunks,
          lenses: lensesOf(context.settings.effort),
        }),
        onDone: {
          target: 'reviewing',
          actions: [withOutput('keep what rules found'), 'plan the first passes'],
        },
      },
    },
    reviewing: {
      entry: 'start exchanges',
      on: {
        'xstate.done.actor.exchange.*': {
          actions: [withOutput('keep the exchange'), 'start exchanges'],
        },
      },
      always: { guard: 'every exchange has ended', target: 'placing' },
    },
    placing: {
      entry: 'place the issues',
      always: [{ guard: 'every place is in the change', target: 'merging' }, 'searching'],
    },
    searching: {
      invoke: {
        id: 'searching',
        src: 'search',
        input: ({ context }) => ({
          ...scopeOf(context),
          number: context.missedPasses + 1,
          issues: toSearch(context),
        }),
        onDone: {
          target: 'merging',
          actions: withOutput('keep the places found'),
        },
      },
    },
    merging: {
      entry: 'merge the findings',
      always: [{ guard: 'something may have been missed', target: 'lookingAgain' }, 'verifying'],
    },
    lookingAgain: {
      entry: 'plan a pass for what was missed',
      always: 'reviewing',
    },
    verifying: {
      entry: ['plan the second opinion', 'ask the checking agent'],
      on: {
        'xstate.done.actor.verify.*': {
          actions: [withOutput('keep the verdicts'), 'ask the checking agent'],
        },
      },
      always: { guard: 'every finding is judged', target: 'reporting', actions: 'apply the verdicts' },
    },
    reporting: {
      invoke: {
        id: 'reporting',
        src: 'report',
        input: ({ context }) => ({ ...scopeOf(context), ...reviewOutput(context) }),
        onDone: 'settled',
      },
    },
    settled: { type: 'final' },
  },
  output: ({ context }) => reviewOutput(context),
});

function scopeOf({ settings: { path, made } }: ReviewContext): ReviewScope {
  return { path, made };
}

function toSearch({ placed, counted }: ReviewContext): readonly SearchedIssue[] {
  return issuesToSearch(placed, counted.files);
}

function mergeAll({ placed, byRules, counted }: ReviewContext): MergedReview {
  // Rules also look for secrets in skipped files.
  const files = counted.census.files.map(({ file }) => file);
  return markOutside(mergeReview(placed, placeRuleIssues(byRules.issues, files)), counted.census);
}

function freePlaces({ settings }: ReviewContext, busy: object): number {
  return Math.max(0, settings.concurrency - Object.keys(busy).length);
}

/** `review/chunk-1` is `chunk-1`; `review/2/chunk-1`, of a workflow, `review-2-chunk-1`. */
function exchangeName(path: string): string {
  return path.replace(/^review\/(?=[^/]+$)/, '').replaceAll('/', '-');
}

/** The part that `chunk-1` lost is `chunk-1.rest`. */
const restSuffix = '.rest';

/** X001-13: returns the path of the exchange that lost this one's lines; null if the census chose them. */
function parentOf(path: string): string | null {
  return path.endsWith(restSuffix) ? path.slice(0, -restSuffix.length) : null;
}

function keepExchange(context: ReviewContext, output: ExchangeOutput): Partial<ReviewContext> {
  const { [output.name]: _ended, ...underway } = context.underway;
  return {
    underway,
    exchanges: inOrder([...context.exchanges, output]),
    waiting: [...context.waiting, ...lostPart(output)],
  };
}

function keepVerdicts(context: ReviewContext, output: VerifyOutput): Partial<ReviewContext> {
  const { [output.name]: _ended, ...verifying } = context.verifying;
  return { verifying, verified: inOrder([...context.verified, output]) };
}

/**
 * Sorts outputs in the order of the change, whichever ended first: a resumed review gives the same result as an
 * uninterrupted one.
 */
function inOrder<Named extends { readonly name: string }>(outputs: readonly Named[]): readonly Named[] {
  if (outputs.length < 2) return outputs; // The collation rules of a language take 5 ms to load.
  const { compare } = new Intl.Collator('en', { numeric: true });
  return outputs.toSorted((left, right) => compare(left.name, right.name));
}

/** A pass that brings nothing new is the last one. If an exchange did not settle, the review is incomplete anyway. */
function mayHaveMissed(context: ReviewContext): boolean {
  const { settings, chunks, exchanges, missedPasses, merged, foundBefore } = context;
  if (settings.effort !== 'deep' || chunks.length === 0 || missedPasses >= mostMissedPasses) return false;
  if (exchanges.some(({ outcome }) => outcome !== 'settled')) return false;
  return missedPasses === 0 || merged.findings.length > foundBefore;
}

/** X001-10: returns the part of a settled exchange's chunk that a shortened prompt no longer showed. */
function lostPart(output: ExchangeOutput): readonly PlannedExchange[] {
  const files = output.request.change ?? [];
  const lost = subtractRanges(changedLinesOf(files), output.shown);
  const depth = output.name.split('.').length;
  if (output.outcome !== 'settled' || lost.length === 0 || depth > splitLimit) return [];
  return [
    {
      name: `${output.path.slice(output.path.lastIndexOf('/') + 1)}${restSuffix}`,
      files: filesWithin(files, lost),
      pass: output.request.pass ?? { kind: 'whole' },
      evidence: null,
    },
  ];
}

/** Returns the result so far; once settled, the machine's output. */
export function reviewOutput(context: ReviewContext): ReviewOutput {
  const { settings, counted, exchanges, merged, verified, unchecked, byRules } = context;
  return {
    counted,
    exchanges,
    merged,
    secondOpinion: tellSecondOpinion(settings.secondOpinion, verified, unchecked),
    rulesFault: byRules.fault,
  };
}
