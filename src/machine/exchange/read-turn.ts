/**
 * Decides what one agent turn means for its exchange: its verdict, the next rung and the spent budgets. Pure; the step
 * that performed the turn calls it, so that its record and the path of the machine are the same.
 */
import type { RejectionReason } from '../../events/collab-event.ts';
import type { AnswerBlock, Reading, Section } from '../../parsers/answers/answer-types.ts';
import { isEcho } from '../../parsers/answers/echo.ts';
import { stoppedProblem, unreadProblem } from '../../parsers/markdown/answer-size.ts';
import { mergeBlocks } from '../../parsers/answers/merge-sections.ts';
import { disagreement, judgeBlock, readAnswer } from '../../parsers/answers/read-answer.ts';
import { readCompletion } from '../../parsers/answers/read-completion.ts';
import { judgeRelevance } from '../../parsers/answers/relevance.ts';
import type { StructureNote } from '../../prompts/repair/repair.ts';
import { examplesOf } from '../../prompts/review/dismissed-kinds.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import { shortenRequest } from '../../prompts/shorten.ts';
import type { TurnResult } from '../../providers/contract/contract.ts';
import { tooLongWaitMs, withLongWait } from '../../providers/contract/repeat-policy.ts';
import { isCutShort } from '../../providers/contract/stop-reason.ts';
import { hasClosingLine } from '../../tags/closing-line.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';
import type { ExchangeCause } from '../../review/outcome/coverage.ts';
import type { AskInput, Kept, ExchangeMessage, TurnVerdict, AskOutput } from './exchange-types.ts';
import { nextAction, rungOf, type Spent } from './ladder.ts';

/** The result of a turn, or the reason it was not made: the run is out of time or budget, or the agent out of reach. */
export type TurnOutcome =
  | TurnResult
  | {
      readonly kind: 'refused';
      readonly cause: 'time' | 'budget' | 'silent' | 'unreachable';
      readonly message: string;
      /** True if the call was started and then ended; false if it was never made. */
      readonly made: boolean;
    };

export type TurnReading = Pick<AskOutput, 'verdict' | 'action' | 'spent' | 'request'>;

export interface TurnFacts {
  readonly promptCharacters: number;
  /** The nonce of the exchange's closing line. */
  readonly closing: string;
  /** True if the answer was not read in time. */
  readonly isUnread?: boolean;
}

export function readTurn(
  input: AskInput,
  turn: TurnOutcome,
  { promptCharacters, closing, isUnread = false }: TurnFacts,
): TurnReading {
  const verdict = isUnread ? unreadAnswer() : judge(input, turn, closing);
  if (verdict.kind === 'settled') return { verdict, action: 'settled', spent: countAttempt(input.spent) };
  if (verdict.kind === 'asked_back') {
    const spent = { ...input.spent, answering: input.spent.answering + 1 };
    return { verdict, action: 'answering', spent };
  }
  return answerRejection(input, verdict, promptCharacters);
}

type Rejected = Extract<TurnVerdict, { kind: 'rejected' }>;

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
    ...(action === 'shortening' && shorter !== null ? { request: shorter.request } : {}),
  };
}

function countAttempt(spent: Spent): Spent {
  return { ...spent, attempts: spent.attempts + 1 };
}

function judge(input: AskInput, turn: TurnOutcome, closing: string): TurnVerdict {
  switch (turn.kind) {
    case 'answered': {
      const stopped = stoppedProblem(turn.stopReason);
      if (stopped !== null) return stoppedAnswer(stopped);
      return input.kept === null
        ? judgeAnswer(input, turn, closing)
        : judgeCompletion(input, input.kept, turn, closing);
    }
    case 'timed_out':
      return reject('timed_out', `${turn.message} (${turn.limit} limit)`, {
        cause: timeCauses[turn.limit],
      });
    case 'overloaded':
      return overloaded(turn);
    case 'cut':
      return reject('cut', turn.message, { cause: 'overloaded', uncounted: turn.uncounted });
    case 'empty':
      return reject('empty', turn.message, { message: askForStructure('empty') });
    case 'unavailable':
      return reject('unavailable', turn.message, { cause: turn.code, hint: turn.hint });
    case 'refused':
      return reject(turn.cause === 'unreachable' ? 'overloaded' : 'timed_out', turn.message, {
        cause: turn.cause,
        final: true,
      });
  }
}

const timeCauses = {
  first_sign: 'time',
  first_byte: 'silent',
  idle: 'time',
  total: 'time',
  context: 'context',
} as const satisfies Readonly<Record<Extract<TurnResult, { kind: 'timed_out' }>['limit'], ExchangeCause>>;

function unreadAnswer(): TurnVerdict {
  return reject('malformed', `the answer ${unreadProblem}`, { message: askForStructure('unread') });
}

/** Not repeated: an agent that writes so much is likely to do it again, and each time is paid for. */
function stoppedAnswer(problem: string): TurnVerdict {
  return reject('malformed', `the answer ${problem}`, { final: true });
}

function overloaded({
  message,
  retryAfterMs,
  unreachable,
}: Extract<TurnResult, { kind: 'overloaded' }>): TurnVerdict {
  if (unreachable === true) return reject('overloaded', message, { cause: 'unreachable' });
  const tooLongMs = tooLongWaitMs({ retryAfterMs });
  return tooLongMs === null
    ? reject('overloaded', message, { cause: 'overloaded', retryAfterMs })
    : reject('overloaded', withLongWait(message, tooLongMs), { cause: 'overloaded', final: true });
}

type Answered = Extract<TurnResult, { kind: 'answered' }>;

function judgeAnswer(input: AskInput, { text, stopReason }: Answered, closing: string): TurnVerdict {
  const { answer } = exchangeSpecOf(input.request.tag);
  const reading = readAnswer(text, answer, sectionNames(input), closing);
  // Even behind its closing line, it may have been about to add a problem.
  const cut = isCutShort(stopReason) && 'block' in reading;
  return judgeReading(input, reading, {
    text,
    closing,
    from: [input.attempt],
    cut: cut ? lastSectionOf(reading.block.sections) : null,
  });
}

/** Returns the section that was cut off: it may lack findings. */
function lastSectionOf(sections: readonly Section[]): string | null {
  return sections.toSorted((left, right) => right.span.end - left.span.end)[0]?.name ?? null;
}

/** Judges an answer to "send only these sections": adds its sections to the kept ones (R001-14, X001-15). */
function judgeCompletion(
  input: AskInput,
  kept: Kept,
  { text, stopReason }: Answered,
  closing: string,
): TurnVerdict {
  const { answer } = exchangeSpecOf(input.request.tag);
  const names = sectionNames(input);
  const read = { text, closing, from: kept.from, cut: null };
  const whole = readAnswer(text, answer, names, closing);
  if (whole.kind === 'reverse_request') return judgeReading(input, whole, read);
  // An advisor that was asked for the closing line alone may send everything again.
  const wanted = kept.wanted.length === 0 ? names : kept.wanted;
  const added = readCompletion(text, answer, wanted, names, closing);
  if (added.disagree) return stillDisagree(kept);
  const cut = isCutShort(stopReason);
  // Asked for its closing line alone, an advisor that sends other words may be withdrawing its answer.
  const isLineAlone = kept.wanted.length === 0 && added.sections.length === 0;
  if (isLineAlone && (cut || !(added.closed && added.bare))) return unclosed(kept.block, kept.from, closing);
  const isClosed = added.closed || (kept.block.closed === true && !kept.wanted.includes('ISSUES'));
  if (added.sections.length === 0 && kept.wanted.length > 0) {
    return missing(kept.block, kept.wanted, kept.from, cut);
  }
  const { closed: _closed, ...merged } = mergeBlocks(kept.block, added.sections, names);
  const block = isClosed ? { ...merged, closed: true as const } : merged;
  return judgeReading(input, judgeBlock(block), {
    ...read,
    from: [...kept.from, input.attempt],
    cut: cut ? lastSectionOf(added.sections) : null,
  });
}

/** Rejects an answer that contradicts itself again: repeating it makes neither side true. */
function stillDisagree(kept: Kept): TurnVerdict {
  return reject('malformed', `${disagreement.section}: ${disagreement.detail}`, {
    message: { kind: 'correction', malformations: [disagreement] },
    kept,
  });
}

function sectionNames({ request }: AskInput): readonly string[] {
  return request.sections.map(({ name }) => name);
}

interface ReadFacts {
  readonly text: string;
  readonly closing: string;
  readonly from: readonly number[];
  /** The section in which the answer ended at a length limit; null if it ended by itself. */
  readonly cut: string | null;
}

function judgeReading(
  input: AskInput,
  reading: Reading,
  { text, closing, from, cut }: ReadFacts,
): TurnVerdict {
  const relevance = judgeRelevance({ reading, text, request: input.request });
  if (relevance.irrelevant) return irrelevant(input, relevance);
  if (cut !== null && 'block' in reading && reading.kind !== 'other_tag') {
    const kept = without(reading.block, [cut]);
    const wanted = sectionNames(input).filter((name) => kept.missing.includes(name));
    return missing(kept, wanted, from, true, reading.block);
  }
  switch (reading.kind) {
    case 'whole':
      if (hasClosingLine(reading.block.tag) && isEcho(reading.block, foreignMaterial(input.request))) {
        return echoed();
      }
      if (needsClosing(reading)) return unclosed(reading.block, from, closing);
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
          kept: keptWithout(reading.block, names, from),
          said: reading.block,
        },
      );
    }
    case 'marker_absent':
      return reject('marker_absent', describeCauses(reading.causes), {
        message: { kind: 'structure', causes: reading.causes, note: null },
      });
    case 'other_tag':
      return irrelevant(input, { reason: `it answers ${reading.found}`, score: 0 });
    case 'reverse_request':
      return askedBack(input, reading);
    case 'empty':
      return reject('empty', 'the answer is empty', {
        message: askForStructure('empty'),
      });
    case 'too_large':
      return reject('malformed', `the answer ${reading.problem}`, {
        message: askForStructure('too_large'),
      });
  }
}

function askedBack(input: AskInput, reading: Extract<Reading, { kind: 'reverse_request' }>): TurnVerdict {
  if (input.spent.answering < input.exchange.budgets.answering) {
    return { kind: 'asked_back', request: reading.request };
  }
  return reject('marker_absent', `asked back more than ${input.exchange.budgets.answering} times`, {
    message: askForStructure('asked_too_often'),
  });
}

/** Never twice in a row for the same reason: the second time, the structure is requested instead (X001-11). */
function irrelevant(
  { lastIrrelevance }: AskInput,
  { reason, score }: { readonly reason: string; readonly score: number },
): TurnVerdict {
  if (lastIrrelevance === reason) {
    return reject('marker_absent', `${reason}, again`, { score, message: askForStructure('off_subject') });
  }
  return reject('irrelevant', reason, { score, message: { kind: 'context' } });
}

function foreignMaterial({
  required,
  optional,
  change,
  conventions = [],
  dismissed = [],
  related = [],
}: ConsultRequest) {
  const foreign = [...required, ...optional, ...related].filter(({ origin }) => origin === 'foreign');
  const texts = [...foreign, ...conventions].map(({ text }) => text);
  return { texts: [...texts, ...dismissed.map(examplesOf)], change: change ?? [] };
}

function echoed(): TurnVerdict {
  return reject('marker_absent', 'it repeats lines of the material and adds nothing', {
    message: askForStructure('echo'),
  });
}

/** An answer without findings counts only if its writer has read our prompt to the end of the form. */
function needsClosing({ block, issues }: Extract<Reading, { kind: 'whole' }>): boolean {
  return hasClosingLine(block.tag) && issues?.length === 0 && block.closed !== true;
}

function unclosed(block: AnswerBlock, from: readonly number[], closing: string): TurnVerdict {
  return reject('incomplete', 'missing: the closing line', {
    message: { kind: 'unclosed', closing },
    kept: { block, wanted: [], from },
  });
}

function missing(
  block: AnswerBlock,
  names: readonly string[],
  from: readonly number[],
  cut = false,
  said = block,
): TurnVerdict {
  const why = cut ? 'the answer was cut at its length limit; ' : '';
  return reject('incomplete', `${why}missing: ${names.join(', ')}`, {
    message: { kind: 'sections', missing: names, ...(cut ? { cut } : {}) },
    kept: { block, wanted: names, from },
    ...(said === block ? {} : { said }),
  });
}

function keptWithout(block: AnswerBlock, names: readonly string[], from: readonly number[]): Kept {
  const kept = without(block, names);
  return { block: kept, wanted: kept.missing, from };
}

function without(block: AnswerBlock, names: readonly string[]): AnswerBlock {
  return {
    ...block,
    sections: block.sections.filter((section) => !names.includes(section.name)),
    missing: [...new Set([...block.missing, ...names])],
  };
}

function askForStructure(note: StructureNote): ExchangeMessage {
  return { kind: 'structure', causes: [], note };
}

function describeCauses(causes: readonly string[]): string {
  return causes.length === 0
    ? 'no marker line'
    : `the marker is only at places that do not count: ${causes.map((cause) => cause.replaceAll('_', ' ')).join(', ')}`;
}

interface RejectionFacts {
  readonly score?: number;
  readonly cause?: ExchangeCause;
  readonly hint?: string;
  readonly message?: ExchangeMessage;
  readonly kept?: Kept;
  readonly said?: AnswerBlock;
  readonly final?: boolean;
  readonly uncounted?: boolean;
  readonly retryAfterMs?: number | null;
}

function reject(reason: RejectionReason, detail: string, facts: RejectionFacts): TurnVerdict {
  return {
    kind: 'rejected',
    reason,
    detail,
    ...(facts.score === undefined ? {} : { score: facts.score }),
    cause: facts.cause ?? 'protocol',
    hint: facts.hint ?? null,
    message: facts.message ?? null,
    kept: facts.kept ?? null,
    ...(facts.said === undefined ? {} : { said: facts.said }),
    final: facts.final ?? false,
    uncounted: facts.uncounted ?? false,
    retryAfterMs: facts.retryAfterMs ?? null,
  };
}
