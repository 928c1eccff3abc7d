/**
 * Folds exchanges with their attempts: the prompts, the faults of the answers, the corrections and the reverse requests.
 */
import type { CollabEvent, CollabEventOf } from '../../../src/client/run-events.ts';
import type { AttemptState, ExchangeState, ReverseState } from '../run-state.ts';
import { createKeyedList } from './keyed-list.ts';

export interface ExchangeFold {
  /** @returns true if an exchange begins with it */
  readonly take: (event: CollabEvent) => boolean;
  readonly current: () => readonly ExchangeState[];
}

export function createExchangeFold(): ExchangeFold {
  const exchanges = createKeyedList<ExchangeState>(({ id }) => id);
  /** An exchange that was lost and is sent again has its place already. */
  const begun = new Set<string>();

  function change(event: CollabEvent, changed: (exchange: ExchangeState) => ExchangeState): void {
    const exchange = exchanges.get(event.exchange_id ?? '');
    if (exchange !== undefined) exchanges.put(exchange.id, changed(exchange));
  }

  function send(event: CollabEventOf<'exchange.sent'>): boolean {
    const id = event.exchange_id ?? '';
    const before = exchanges.get(id);
    exchanges.put(id, sent(before ?? newExchange(id, event), event));
    const isFirst = !begun.has(id);
    begun.add(id);
    return isFirst;
  }

  return {
    current: exchanges.current,
    take(event) {
      switch (event.type) {
        case 'exchange.sent':
          return send(event);
        case 'exchange.received':
          change(event, (exchange) => withLastAttempt(exchange, { received: receivedIn(event) }));
          return false;
        case 'exchange.rejected': {
          const { reason, detail, action } = event;
          change(event, (exchange) => withLastAttempt(exchange, { rejected: { reason, detail, action } }));
          return false;
        }
        case 'exchange.asked_back': {
          const { tag, text, step = null } = event;
          const asked: ReverseState = { tag, text, step, answer: null };
          change(event, (exchange) => ({ ...exchange, reverse: [...exchange.reverse, asked] }));
          return false;
        }
        case 'exchange.answered_back':
          change(event, (exchange) => ({ ...exchange, reverse: answered(exchange.reverse, event) }));
          return false;
        case 'exchange.ended':
          change(event, (exchange) => ({ ...exchange, outcome: event.outcome }));
          return false;
        case 'step.abandoned':
          for (const exchange of exchanges.current())
            exchanges.put(exchange.id, withoutStep(exchange, event.step));
          exchanges.drop(({ attempts }) => attempts.length === 0);
          return false;
        default:
          return false;
      }
    },
  };
}

function newExchange(id: string, { tag }: CollabEventOf<'exchange.sent'>): ExchangeState {
  return { id, tag, question: null, attempts: [], reverse: [], outcome: null };
}

/** After an answered reverse request the same attempt continues. */
function sent(exchange: ExchangeState, event: CollabEventOf<'exchange.sent'>): ExchangeState {
  const { attempt: number, prompt_ref: ref, prompt_bytes: bytes, step = null } = event;
  const prompt = { ref, bytes, step };
  const last = exchange.attempts.at(-1);
  const attempts =
    last?.number === number
      ? [...exchange.attempts.slice(0, -1), { ...last, prompts: [...last.prompts, prompt] }]
      : [...exchange.attempts, { ...newAttempt(event), prompts: [prompt] }];
  return { ...exchange, attempts, question: exchange.question ?? event.question ?? null };
}

function newAttempt({ attempt, cached, cache_fault }: CollabEventOf<'exchange.sent'>): AttemptState {
  return {
    number: attempt,
    prompts: [],
    cached: cached ?? null,
    cacheFault: cache_fault ?? null,
    received: null,
    rejected: null,
  };
}

function receivedIn({ sections, issues, merged_from }: CollabEventOf<'exchange.received'>) {
  return { sections, issues: issues ?? null, mergedFrom: merged_from ?? [] };
}

function withLastAttempt(exchange: ExchangeState, change: Partial<AttemptState>): ExchangeState {
  const last = exchange.attempts.at(-1);
  if (last === undefined) return exchange;
  return { ...exchange, attempts: [...exchange.attempts.slice(0, -1), { ...last, ...change }] };
}

function answered(
  reverse: readonly ReverseState[],
  { by, text, declined }: CollabEventOf<'exchange.answered_back'>,
): readonly ReverseState[] {
  const open = reverse.findIndex(({ answer }) => answer === null);
  const answer = { by, text, declined: declined ?? null };
  return reverse.map((asked, index) => (index === open ? { ...asked, answer } : asked));
}

/** The next step repeats everything that a lost step sent and received. */
function withoutStep(exchange: ExchangeState, step: string): ExchangeState {
  const isOfStep = (part: { readonly step: string | null }) => part.step === step;
  const isTouched =
    exchange.attempts.some(({ prompts }) => prompts.some(isOfStep)) || exchange.reverse.some(isOfStep);
  if (!isTouched) return exchange;
  const attempts = exchange.attempts
    .map((attempt) => withoutPrompts(attempt, isOfStep))
    .filter(({ prompts }) => prompts.length > 0);
  const reverse = exchange.reverse.filter((asked) => !isOfStep(asked));
  return { ...exchange, attempts, reverse, outcome: null };
}

function withoutPrompts(
  attempt: AttemptState,
  isGone: (prompt: AttemptState['prompts'][number]) => boolean,
): AttemptState {
  if (!attempt.prompts.some(isGone)) return attempt;
  const prompts = attempt.prompts.filter((prompt) => !isGone(prompt));
  return { ...attempt, prompts, received: null, rejected: null };
}
