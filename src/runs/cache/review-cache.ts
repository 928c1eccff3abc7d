/**
 * Does not ask twice about an unchanged chunk: the settled answer of an earlier run about the same lines is used if
 * the wording, the advisor and the model are the same. The answer passes the same parser again.
 */
import type { AskInput } from '../../machine/exchange/exchange-types.ts';
import type { TurnReading } from '../../machine/exchange/read-turn.ts';
import { titlesOfWhole } from '../../prompts/review/review-request.ts';
import { renderAnswer } from '../../parsers/answers/render-answer.ts';
import { linesOf, subtractRanges } from '../../parsers/diff/ranges.ts';
import type { LineRange } from '../../parsers/diff/types.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import { measuringNonce } from '../../prompts/fence.ts';
import { requestText } from '../../prompts/request-text.ts';
import { closingLine } from '../../tags/closing-line.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';
import type { AnswerCache, CachedAnswer } from './answer-cache.ts';
import { digestOf } from '../../text/digest.ts';
import { reader } from '../reading/reader.ts';

export interface Recall {
  /** Returns null if nothing is cached for it; `fault` is the reason why a cached answer is not used. */
  find(input: AskInput, signal: AbortSignal): Promise<Recalled | null>;
  /** Called for every turn; keeps the answers that settled. */
  hear(turn: HeardTurn, signal: AbortSignal): Promise<void>;
}

export type Recalled =
  | { readonly kind: 'answered'; readonly cached: CachedAnswer; readonly reading: TurnReading }
  | { readonly kind: 'fault'; readonly fault: string };

export interface HeardTurn extends Held {
  readonly input: AskInput;
  readonly reading: TurnReading;
  /** The turn's own answer; null if it ended without one. */
  readonly text: string | null;
  /** The nonce of its closing line. */
  readonly closing: string;
  readonly answeredAt: string;
}

/** A prompt and the lines of the change that were in it. */
interface Held {
  readonly promptDigest: string;
  readonly shown: readonly LineRange[];
}

/** The facts that an agent's answers depend on, apart from the question. */
export interface AgentKey {
  readonly provider: string;
  /** The model as the user named it. */
  readonly asked: string | null;
  /** The model as the agent reports it. */
  readonly model: string | null;
  readonly edition: string | null;
  readonly settings: Readonly<Record<string, string>>;
}

/** The advisor of the run. */
export interface AdvisorKey extends AgentKey {
  /** True if it may read the files under review, in addition to the lines in the prompt. */
  readonly readsFiles: boolean;
}

export interface RecallOptions {
  readonly cache: AnswerCache;
  readonly runId: string;
  /** Returns null until the advisor's facts are known. */
  readonly advisor: () => AdvisorKey | null;
}

export function createRecall({ cache, runId, advisor }: RecallOptions): Recall {
  /** Keyed by exchange: if a part was requested again, the last prompt is not the one that contained the lines. */
  const prompts = new Map<string, Held>();
  const keyOf = ({ exchange }: AskInput): string | null => {
    const asked = advisor();
    return asked === null ? null : digestOf({ advisor: asked, request: essenceOf(exchange.request) });
  };
  return {
    async find(input, signal) {
      const key = keyOf(input);
      const found = key === null ? null : cache.find(key);
      if (found === null || found.kind === 'absent') return null;
      return found.kind === 'broken'
        ? { kind: 'fault', fault: found.why }
        : readAgain(input, found.cached, signal);
    },
    async hear({ promptDigest, shown, ...turn }, signal) {
      const { path } = turn.input.exchange;
      if (shown.length > 0) prompts.set(path, { promptDigest, shown });
      // A resumed run has not seen the earlier prompts: then nothing is kept.
      const held = prompts.get(path);
      const answer = await wholeAnswer(turn, signal);
      const key = answer === null ? null : keyOf(turn.input);
      if (held === undefined || answer === null || key === null) return;
      cache.keep({
        schema: 'collab.cache/v1',
        key,
        run_id: runId,
        answered_at: turn.answeredAt,
        prompt_digest: held.promptDigest,
        shown: [...held.shown],
        answer,
        closing: turn.closing,
      });
    },
  };
}

/**
 * Returns the whole question, in the wording of this version; without the values drawn for each request, without the
 * parts about the whole change, and without the ids of whole files, which change with the lines of other chunks.
 */
function essenceOf(request: ConsultRequest): string {
  const essence = {
    ...request,
    optional: request.optional.filter(({ title }) => !titlesOfWhole.has(title)),
    change: request.change?.map((file) => ({ ...file, oldBlob: null, newBlob: null })) ?? null,
  };
  return requestText(essence, measuringNonce).text;
}

async function readAgain(input: AskInput, cached: CachedAnswer, signal: AbortSignal): Promise<Recalled> {
  const beyond = subtractRanges(cached.shown, linesOf(input.exchange.request.change ?? []));
  if (beyond.length > 0) return { kind: 'fault', fault: 'the cached answer is about other lines' };
  // An answer cached before closing lines existed is asked for again if it found nothing.
  const reading = await readText(input, { text: cached.answer, closing: cached.closing ?? '' }, signal);
  if (reading.action !== 'settled')
    return { kind: 'fault', fault: 'the cached answer is not in the agreed form' };
  return { kind: 'answered', cached, reading };
}

/** Reads the text as the first answer of a new exchange. */
function readText(
  input: AskInput,
  { text, closing }: { readonly text: string; readonly closing: string },
  signal: AbortSignal,
): Promise<TurnReading> {
  const first = { ...input, request: input.exchange.request, kept: null, lastIrrelevance: null };
  const answered = { kind: 'answered', text, sessionId: null, usage: null, stopReason: null } as const;
  return reader.turn(first, answered, { promptCharacters: 0, closing }, signal);
}

/**
 * Returns the advisor's own text; for an answer in several parts, the sections joined. Returns null if the joined text
 * would read differently.
 */
async function wholeAnswer(
  { input, reading: { verdict }, text, closing }: Pick<HeardTurn, 'input' | 'reading' | 'text' | 'closing'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (verdict.kind !== 'settled' || text === null) return null;
  if (isFirstAnswer(input)) return text;
  const whole =
    input.kept === null
      ? text
      : renderAnswer(exchangeSpecOf(input.request.tag).answer, verdict.block.sections) +
        (verdict.block.closed === true ? `\n${closingLine(closing)}\n` : '');
  const again = (await readText(input, { text: whole, closing }, signal)).verdict;
  const isSame =
    again.kind === 'settled' &&
    digestOf([again.issues, contentOf(again.block)]) === digestOf([verdict.issues, contentOf(verdict.block)]);
  return isSame ? whole : null;
}

/** It was read as `readText` would read it. */
function isFirstAnswer({ request, exchange, kept, lastIrrelevance }: AskInput): boolean {
  return request === exchange.request && kept === null && lastIrrelevance === null;
}

function contentOf({ sections }: { readonly sections: readonly { name: string; text: string }[] }) {
  return sections.map(({ name, text }) => [name, text.trim()]);
}
