/**
 * Reads the texts of agents. A long one is read in a thread: its syntax tree takes up to seconds, in which a server
 * could not answer other users.
 */
import { mostReaderThreads, readingLimitMs } from '../../config/waits.ts';
import { readLeadText, type LeadReading } from '../../machine/lead/read-lead-text.ts';
import type { AskInput } from '../../machine/exchange/exchange-types.ts';
import {
  readTurn,
  type TurnFacts,
  type TurnOutcome,
  type TurnReading,
} from '../../machine/exchange/read-turn.ts';
import { readReverseAnswer, type ReverseAnswerReading } from '../../parsers/answers/read-reverse-answer.ts';
import { readVerdicts, type VerdictReading } from '../../parsers/answers/read-verdicts.ts';
import { isLong, unreadProblem } from '../../parsers/markdown/answer-size.ts';
import { builtProgram } from '../../system/package-folder.ts';
import { createThreadQueue } from '../../system/thread-queue.ts';
import type { Phase, ReverseTag } from '../../tags/tags.ts';
import type { Readings } from './readings.ts';

/** A text that cannot be read in time is refused like one that is too large. */
export interface Reader {
  turn(input: AskInput, outcome: TurnOutcome, facts: TurnFacts, signal?: AbortSignal): Promise<TurnReading>;
  /** Returns null if the text is not read in time. */
  leadText(text: string, phase: Phase, signal?: AbortSignal): Promise<LeadReading | null>;
  reverseAnswer(text: string, asked: ReverseTag, signal?: AbortSignal): Promise<ReverseAnswerReading>;
  verdicts(
    text: string,
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, VerdictReading>>;
}

export interface ReaderOptions {
  /** The built `thread.ts`; null: everything is read on the event loop. */
  readonly program: string | null;
  readonly limitMs?: number;
}

export function createReader({ program, limitMs = readingLimitMs }: ReaderOptions): Reader {
  const threads =
    program === null
      ? null
      : createThreadQueue<Readings>({ program, mostThreads: mostReaderThreads, limitMs });
  const queueFor = (text: string) => (isLong(text) ? threads : null);
  const unreadable = { kind: 'unreadable', problem: unreadProblem } as const;
  return {
    async turn(input, outcome, facts, signal) {
      const queue = outcome.kind === 'answered' ? queueFor(outcome.text) : null;
      if (queue === null) return readTurn(input, outcome, facts);
      const reading = await queue.call('readTurn', [input, outcome, facts], { signal });
      return reading ?? readTurn(input, outcome, { ...facts, isUnread: true });
    },
    async leadText(text, phase, signal) {
      const queue = queueFor(text);
      return queue === null
        ? readLeadText(text, phase)
        : queue.call('readLeadText', [text, phase], { signal });
    },
    async reverseAnswer(text, asked, signal) {
      const queue = queueFor(text);
      if (queue === null) return readReverseAnswer(text, asked);
      return (await queue.call('readReverseAnswer', [text, asked], { signal })) ?? unreadable;
    },
    async verdicts(text, ids, signal) {
      const queue = queueFor(text);
      if (queue === null) return readVerdicts(text, ids);
      const reading = await queue.call('readVerdicts', [text, ids], { signal });
      return reading ?? new Map(ids.map((id) => [id, unreadable]));
    },
  };
}

/** The one reader of a process. */
export const reader: Reader = createReader({ program: builtProgram('reader.js') });
