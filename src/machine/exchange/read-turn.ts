/**
 * What one agent turn means for its exchange: the verdict on it, the rung that answers it, and what has been spent.
 * Pure; the step that performed the turn calls it, so that its record and the machine's way are one thing.
 */
import type { ExchangeAction, RejectionReason } from '../../events/collab-event.ts';
import type { AnswerBlock, Reading } from '../../parsers/answers/answer-types.ts';
import { mergeBlocks } from '../../parsers/answers/merge-sections.ts';
import { judgeBlock, readAnswer } from '../../parsers/answers/read-answer.ts';
import { readCompletion } from '../../parsers/answers/read-completion.ts';
import { judgeRelevance } from '../../parsers/answers/relevance.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import { shortenRequest } from '../../prompts/shorten.ts';
import type { TurnResult } from '../../providers/contract/contract.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';
import type { ExchangeCause } from '../../review/outcome/coverage.ts';
import type { AskInput, Kept, Message, Verdict } from './exchange-types.ts';
import { nextAction, rungOf, type Spent } from './ladder.ts';

/** What a turn came to, or that it was not made: the run's time or budget is over. */
export type TurnOutcome =
  | TurnResult
  | {
      readonly kind: 'refused';
      readonly cause: 'time' | 'budget';
      readonly message: string;
      /** The call had been begun and was ended; false where it was never made. */
      readonly made: boolean;
    };

export interface TurnReading {
  readonly verdict: Verdict;
  readonly action: ExchangeAction;
  readonly spent: Spent;
  /** The request of the next attempt: shorter where the action is `shortening`. */
  readonly request: ConsultRequest;
}

export function readTurn(input: AskInput, turn: TurnOutcome, promptCharacters: number): TurnReading {
  const verdict = judge(input, turn);
  if (verdict.kind === 'settled')
    return { verdict, action: 'settled', spent: countAttempt(input.spent), request: input.request };
  if (verdict.kind === 'asked_back') {
    const spent = { ...input.spent, answering: input.spent.answering + 1 };
    return { verdict, action: 'answering', spent, request: input.request };
  }
  return answerRejection(input, verdict, promptCharacters);
}

type Rejected = Extract<Verdict, { kind: 'rejected' }>;

function answerRejection(input: AskInput, verdict: Rejected, promptCharacters: number): TurnReading {
  const shorter =
    verdict.reason === 'timed_out' && !verdict.final ? shortenRequest(input.request, promptCharacters) : null;
  const final = verdict.final || (verdict.reason === 'timed_out' && shorter === null);
  const attempted = countAttempt(input.spent);
  const action = nextAction({ ...verdict, final }, attempted, input.exchange.budgets);
  const rung = rungOf[verdict.reason];
  const climbs = rung !== null && action === rung && !verdict.uncounted;
  return {
    verdict: { ...verdict, final },
    action,
    spent: climbs ? { ...attempted, [rung]: attempted[rung] + 1 } : attempted,
    request: action === 'shortening' && shorter !== null ? shorter.request : input.request,
  };
}

function countAttempt(spent: Spent): Spent {
  return { ...spent, attempts: spent.attempts + 1 };
}

function judge(input: AskInput, turn: TurnOutcome): Verdict {
  switch (turn.kind) {
    case 'answered':
      return input.kept === null
        ? judgeAnswer(input, turn.text)
        : judgeCompletion(input, input.kept, turn.text);
    case 'timed_out':
      return reject('timed_out', `${turn.message} (${turn.limit} limit)`, {
        cause: turn.limit === 'context' ? 'context' : 'time',
      });
    case 'overloaded':
      return overloaded(turn);
    case 'cut':
      return reject('cut', turn.message, { cause: 'overloaded', uncounted: turn.uncounted });
    case 'empty':
      return reject('empty', turn.message, { message: askForStructure('your last answer was empty') });
    case 'unavailable':
      return reject('unavailable', turn.message, { cause: turn.code, hint: turn.hint });
    case 'refused':
      return reject('timed_out', turn.message, { cause: turn.cause, final: true });
  }
}

/** An agent that wants to be left alone for longer than this is given up: nothing waits for hours in silence. */
const longestWaitMs = 600_000;

function overloaded({ message, retryAfterMs }: Extract<TurnResult, { kind: 'overloaded' }>): Verdict {
  if (retryAfterMs === null || retryAfterMs <= longestWaitMs) {
    return reject('overloaded', message, { cause: 'overloaded', retryAfterMs });
  }
  const detail = `${message}; it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  return reject('overloaded', detail, { cause: 'overloaded', final: true });
}

function judgeAnswer(input: AskInput, text: string): Verdict {
  const { answer } = exchangeSpecOf(input.request.tag);
  return judgeReading(input, readAnswer(text, answer, sectionNames(input)), text, [input.attempt]);
}

/** An answer to "send only these sections": what it adds goes beside what was kept (R001-14, X001-15). */
function judgeCompletion(input: AskInput, kept: Kept, text: string): Verdict {
  const { answer } = exchangeSpecOf(input.request.tag);
  const names = sectionNames(input);
  const whole = readAnswer(text, answer, names);
  if (whole.kind === 'reverse_request') return judgeReading(input, whole, text, kept.from);
  const added = readCompletion(text, answer, kept.wanted, names);
  if (added.length === 0) return missing(kept.block, kept.wanted, kept.from);
  const merged = mergeBlocks(kept.block, added, names);
  return judgeReading(input, judgeBlock(merged), text, [...kept.from, input.attempt]);
}

function sectionNames({ request }: AskInput): readonly string[] {
  return request.sections.map(({ name }) => name);
}

function judgeReading(input: AskInput, reading: Reading, text: string, from: readonly number[]): Verdict {
  const relevance = judgeRelevance({ reading, text, request: input.request });
  if (relevance.irrelevant) return irrelevant(input, relevance.reason);
  switch (reading.kind) {
    case 'whole':
      return { kind: 'settled', block: reading.block, issues: reading.issues, mergedFrom: from };
    case 'incomplete':
      return missing(reading.block, reading.missing, from);
    case 'malformed': {
      const names = reading.malformations.map((malformation) => malformation.section);
      return reject(
        'malformed',
        reading.malformations.map((wrong) => `${wrong.section}: ${wrong.detail}`).join('; '),
        {
          message: { kind: 'correction', malformations: reading.malformations },
          kept: { block: without(reading.block, names), wanted: names, from },
        },
      );
    }
    case 'marker_absent':
      return reject('marker_absent', describeCauses(reading.causes), {
        message: { kind: 'structure', causes: reading.causes, note: null },
      });
    case 'other_tag':
      return irrelevant(input, `it answers ${reading.found}`);
    case 'reverse_request':
      return askedBack(input, reading);
    case 'empty':
      return reject('empty', 'the answer is empty', {
        message: askForStructure('your last answer was empty'),
      });
    case 'too_large':
      return reject('malformed', `the answer has ${reading.bytes} bytes; 1 MB is the limit`, {
        message: askForStructure('your last answer was larger than 1 MB'),
      });
  }
}

function askedBack(input: AskInput, reading: Extract<Reading, { kind: 'reverse_request' }>): Verdict {
  if (input.spent.answering < input.exchange.budgets.answering) {
    return { kind: 'asked_back', request: reading.request };
  }
  const note = 'no further question can be answered in this exchange; decide with what you have';
  return reject('marker_absent', `asked back more than ${input.exchange.budgets.answering} times`, {
    message: askForStructure(note),
  });
}

/** Never twice in a row for the same reason: then the structure is asked for instead (X001-11). */
function irrelevant(input: AskInput, detail: string): Verdict {
  if (input.lastIrrelevance === detail) {
    return reject('marker_absent', `${detail}, again`, {
      message: askForStructure('your last answer was about something else'),
    });
  }
  return reject('irrelevant', detail, { message: { kind: 'context' } });
}

function missing(block: AnswerBlock, names: readonly string[], from: readonly number[]): Verdict {
  return reject('incomplete', `missing: ${names.join(', ')}`, {
    message: { kind: 'sections', missing: names },
    kept: { block, wanted: names, from },
  });
}

function without(block: AnswerBlock, names: readonly string[]): AnswerBlock {
  return {
    ...block,
    sections: block.sections.filter((section) => !names.includes(section.name)),
    missing: [...new Set([...block.missing, ...names])],
  };
}

function askForStructure(note: string): Message {
  return { kind: 'structure', causes: [], note };
}

function describeCauses(causes: readonly string[]): string {
  return causes.length === 0
    ? 'no marker line'
    : `the marker stands only where it does not count: ${causes.map((cause) => cause.replaceAll('_', ' ')).join(', ')}`;
}

interface RejectionFacts {
  readonly cause?: ExchangeCause;
  readonly hint?: string;
  readonly message?: Message;
  readonly kept?: Kept;
  readonly final?: boolean;
  readonly uncounted?: boolean;
  readonly retryAfterMs?: number | null;
}

function reject(reason: RejectionReason, detail: string, facts: RejectionFacts): Verdict {
  return {
    kind: 'rejected',
    reason,
    detail,
    cause: facts.cause ?? 'protocol',
    hint: facts.hint ?? null,
    message: facts.message ?? null,
    kept: facts.kept ?? null,
    final: facts.final ?? false,
    uncounted: facts.uncounted ?? false,
    retryAfterMs: facts.retryAfterMs ?? null,
  };
}
