/**
 * An unchanged chunk is not asked about twice: what an earlier run settled about the same lines, asked in the same words of
 * the same advisor and model, answers it. The answer passes the same parser again.
 */
import type { AskInput } from '../../machine/exchange/exchange-types.ts';
import { readTurn, type TurnReading } from '../../machine/exchange/read-turn.ts';
import { titlesOfWhole } from '../../machine/review/review-request.ts';
import { renderAnswer } from '../../parsers/answers/render-answer.ts';
import { linesOf, subtractRanges } from '../../parsers/diff/ranges.ts';
import type { LineRange } from '../../parsers/diff/types.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import { measuringNonce } from '../../prompts/fence.ts';
import { requestText } from '../../prompts/request-text.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';
import type { AnswerCache, CachedAnswer } from './answer-cache.ts';
import { digestOf } from '../../text/digest.ts';

export interface Recall {
  /** Null where nothing is known of it; `fault` says why a cached answer is not taken. */
  find(input: AskInput): Recalled | null;
  /** Of every turn that was made; what has settled is kept. */
  hear(turn: HeardTurn): void;
}

export type Recalled =
  | { readonly kind: 'answered'; readonly cached: CachedAnswer; readonly reading: TurnReading }
  | { readonly kind: 'fault'; readonly fault: string };

export interface HeardTurn extends Held {
  readonly input: AskInput;
  readonly reading: TurnReading;
  /** The turn's own answer; null where it ended without one. */
  readonly text: string | null;
  readonly answeredAt: string;
}

/** A prompt and the lines of the change that were in it. */
interface Held {
  readonly promptDigest: string;
  readonly shown: readonly LineRange[];
}

/** What an agent's answers depend on, besides what it is asked. */
export interface AgentKey {
  readonly provider: string;
  /** As the user named it. */
  readonly asked: string | null;
  /** As the agent tells it. */
  readonly model: string | null;
  readonly edition: string | null;
  readonly settings: Readonly<Record<string, string>>;
}

/** Who would be asked. */
export interface AdvisorKey extends AgentKey {
  /** Whether it may read the files under review, beside the lines that it is shown. */
  readonly readsFiles: boolean;
}

export interface RecallOptions {
  readonly cache: AnswerCache;
  readonly runId: string;
  /** Null as long as nobody has met the advisor. */
  readonly advisor: () => AdvisorKey | null;
}

export function createRecall({ cache, runId, advisor }: RecallOptions): Recall {
  /** By exchange: the prompt that held the lines is not the last one where a part was asked for again. */
  const prompts = new Map<string, Held>();
  const keyOf = ({ exchange }: AskInput): string | null => {
    const asked = advisor();
    return asked === null ? null : digestOf({ advisor: asked, request: essenceOf(exchange.request) });
  };
  return {
    find(input) {
      const key = keyOf(input);
      const found = key === null ? null : cache.find(key);
      if (found === null || found.kind === 'absent') return null;
      return found.kind === 'broken' ? { kind: 'fault', fault: found.why } : readAgain(input, found.cached);
    },
    hear({ promptDigest, shown, ...turn }) {
      const { path } = turn.input.exchange;
      if (shown.length > 0) prompts.set(path, { promptDigest, shown });
      // Of a run that goes on the earlier prompts were not seen: then nothing is kept.
      const held = prompts.get(path);
      const answer = wholeAnswer(turn);
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
      });
    },
  };
}

/**
 * All that is asked, in the words of this version; without what is drawn for each request, without what is told of the whole
 * change, and without the ids of whole files, which change with lines of other chunks.
 */
function essenceOf(request: ConsultRequest): string {
  const essence = {
    ...request,
    optional: request.optional.filter(({ title }) => !titlesOfWhole.has(title)),
    change: request.change?.map((file) => ({ ...file, oldBlob: null, newBlob: null })) ?? null,
  };
  return requestText(essence, measuringNonce).text;
}

function readAgain(input: AskInput, cached: CachedAnswer): Recalled {
  const beyond = subtractRanges(cached.shown, linesOf(input.exchange.request.change ?? []));
  if (beyond.length > 0) return { kind: 'fault', fault: 'the cached answer is about other lines' };
  const reading = readText(input, cached.answer);
  if (reading.action !== 'settled')
    return { kind: 'fault', fault: 'the cached answer is not in the agreed form' };
  return { kind: 'answered', cached, reading };
}

/** As the first answer of a fresh exchange. */
function readText(input: AskInput, text: string): TurnReading {
  const first = { ...input, request: input.exchange.request, kept: null, lastIrrelevance: null };
  return readTurn(first, { kind: 'answered', text, sessionId: null, usage: null, stopReason: null }, 0);
}

/** The advisor's own text; of an answer that came in parts, the sections together. Null where that would read otherwise. */
function wholeAnswer({
  input,
  reading: { verdict },
  text,
}: Pick<HeardTurn, 'input' | 'reading' | 'text'>): string | null {
  if (verdict.kind !== 'settled' || text === null) return null;
  const whole =
    input.kept === null
      ? text
      : renderAnswer(exchangeSpecOf(input.request.tag).answer, verdict.block.sections);
  const again = readText(input, whole).verdict;
  const isSame =
    again.kind === 'settled' &&
    digestOf([again.issues, contentOf(again.block)]) === digestOf([verdict.issues, contentOf(verdict.block)]);
  return isSame ? whole : null;
}

function contentOf({ sections }: { readonly sections: readonly { name: string; text: string }[] }) {
  return sections.map(({ name, text }) => [name, text.trim()]);
}
