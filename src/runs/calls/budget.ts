/**
 * The budget of a run: dollars, tokens, calls, or several of these. It covers all calls of the lead and the advisor,
 * concurrent ones included. Room is reserved before a call, and the actual use is settled after it.
 */
import type { EventBody, CollabEvent, Usage } from '../../events/collab-event.ts';
import { addCost } from '../../events/cost.ts';
import { countTokens } from '../../events/tokens.ts';
import { callsOf } from '../../review/outcome/usage.ts';
import type { TurnOutcome } from '../../machine/exchange/read-turn.ts';
import { hasRoom } from '../../engine/store/call-ledger.ts';
import type { TokenPrice } from '../../providers/contract/contract.ts';
import { renderNumber, renderCount } from '../../text/quantities.ts';
import type { RunInput } from '../folder/run-input.ts';

export interface BudgetLimits {
  /** In US dollars; null for none. */
  readonly usd: number | null;
  /** Tokens of every kind: uncached input, cached input, output; null for none. */
  readonly tokens: number | null;
  /** Agent calls, including lost ones; null for none. */
  readonly calls: number | null;
}

export const noLimits: BudgetLimits = { usd: null, tokens: null, calls: null };

/** The outcome of a call that was not made. */
export type BudgetRefusal = Extract<TurnOutcome, { kind: 'refused' }>;

export interface Reservation {
  readonly kind: 'reserved';
  /** Settles what the call used; if `usages` is empty, the estimate counts. Settles once. */
  settle(usages: readonly Usage[]): readonly EventBody[] | Promise<readonly EventBody[]>;
}

/** A reservation in the budget of one run. */
interface OwnReservation extends Reservation {
  /** The cost of the call at the price that is known; 0 if none is. */
  readonly expectedUsd: number;
  settle(usages: readonly Usage[]): readonly EventBody[];
  /** Gives the room back: the call is not made. */
  release(): void;
}

export interface Budget {
  readonly limited: boolean;
  /** Adds what earlier drives of the run spent. */
  recall(events: readonly CollabEvent[]): void;
  /** Adds what was used elsewhere; each usage is one call. */
  count(usages: readonly Usage[]): void;
  /** Waits while a call is in progress that may report the first price. @throws the reason of `signal` */
  reserve(promptCharacters: number, signal: AbortSignal): Promise<Reservation | BudgetRefusal>;
}

/** The budget of one run alone. */
export interface OwnBudget extends Budget {
  reserve(promptCharacters: number): Promise<OwnReservation | BudgetRefusal>;
}

/** Estimated length of an answer before it is known. */
export const outputAllowanceTokens = 4000;

/**
 * `price` is the expected price of a call. If no price is known before the first call reports one, calls are started
 * one at a time until then, while anything is left.
 */
export function createBudget(
  limits: BudgetLimits,
  price: TokenPrice | null = null,
  whatToDo: (flag: BudgetFlag) => string = startAgain,
): OwnBudget {
  const spent: Amount[] = [];
  const reserved = new Set<Amount>();
  const waiting: (() => void)[] = [];

  return {
    limited: Object.values(limits).some((limit) => limit !== null),
    recall(events) {
      for (const { tokens, cost, promptBytes } of callsOf(events)) {
        const told = countTokens(tokens);
        spent.push(told === 0 ? estimate(promptBytes, price) : { ...nothing, tokens: told, usd: cost });
      }
    },
    count(usages) {
      spent.push(...usages.map((usage) => amountOf([usage])));
    },
    async reserve(promptCharacters) {
      while (limits.usd !== null && reserved.size > 0 && isPriceUnknown()) await nextSettled();
      const amount = estimate(promptCharacters, price);
      const refusal = refusalFor(amount);
      if (refusal !== null) return refusal;
      reserved.add(amount);
      return {
        kind: 'reserved',
        expectedUsd: amount.expectedUsd,
        settle(usages) {
          if (!reserved.delete(amount)) return [];
          spent.push(usages.length === 0 ? amount : amountOf(usages));
          wakeWaiting();
          return standings();
        },
        release() {
          reserved.delete(amount);
          wakeWaiting();
        },
      };
    },
  };

  function isPriceUnknown(): boolean {
    return price === null && dearestRate(spent) === 0;
  }

  function wakeWaiting(): void {
    for (const go of waiting.splice(0)) go();
  }

  function nextSettled(): Promise<void> {
    return new Promise((go) => waiting.push(go));
  }

  function refusalFor(amount: Amount): BudgetRefusal | null {
    const { usd, tokens, calls } = limits;
    const taken = [...spent, ...reserved];
    const wanted = [...taken, amount];
    if (tokens !== null && sumTokens(wanted) > tokens) {
      return refuse(
        `the budget of ${renderNumber(tokens)} tokens is spent: ${renderNumber(sumTokens(taken))} are used or reserved and the next call needs about ${renderNumber(amount.tokens)}`,
        '--budget-tokens',
      );
    }
    if (usd !== null && !hasRoom(usd, sumUsd(taken), sumUsd(wanted))) {
      return refuse(
        `the budget of $${usd} is spent: $${sumUsd(taken).toFixed(4)} is used or reserved`,
        '--budget-usd',
      );
    }
    if (calls !== null && taken.length >= calls) {
      return refuse(`the budget of ${renderCount(calls, 'call')} is spent`, '--budget-calls');
    }
    return null;
  }

  function refuse(message: string, flag: BudgetFlag): BudgetRefusal {
    return { kind: 'refused', cause: 'budget', message: `${message}; ${whatToDo(flag)}`, made: false };
  }

  function standings(): readonly EventBody[] {
    return [
      ...standing(limits.usd, sumUsd(spent), 'usd'),
      ...standing(limits.tokens, sumTokens(spent), 'tokens'),
      ...standing(limits.calls, spent.length, 'calls'),
    ];
  }
}

type BudgetFlag = '--budget-usd' | '--budget-tokens' | '--budget-calls';

function startAgain(flag: BudgetFlag): string {
  return `start it again with a bigger ${flag}; resuming this run keeps the budget that it has`;
}

interface Amount {
  readonly tokens: number;
  /** In US dollars; null if unknown. */
  readonly usd: number | null;
  /** The cost at the price that was known before. */
  readonly expectedUsd: number;
}

const nothing: Amount = { tokens: 0, usd: null, expectedUsd: 0 };

/** A token is about four characters. */
function estimate(promptCharacters: number, price: TokenPrice | null): Amount {
  const input = Math.ceil(promptCharacters / 4);
  const dollars = price === null ? 0 : (input * price.input + outputAllowanceTokens * price.output) / 1e6;
  return { tokens: input + outputAllowanceTokens, usd: null, expectedUsd: dollars };
}

function amountOf(usages: readonly Usage[]): Amount {
  return {
    ...nothing,
    tokens: usages.reduce((sum, usage) => sum + countTokens(usage), 0),
    usd: usages.reduce<number | null>((sum, { cost }) => addCost(sum, cost), 0),
  };
}

function sumTokens(amounts: readonly Amount[]): number {
  return amounts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Usage without a price counts at the expected price, or at the highest reported price per token if that is more. */
function sumUsd(amounts: readonly Amount[]): number {
  const dearest = dearestRate(amounts);
  return amounts.reduce(
    (sum, { tokens, usd, expectedUsd }) => sum + (usd ?? Math.max(expectedUsd, tokens * dearest)),
    0,
  );
}

/** In dollars per token; 0 if no price was reported. */
function dearestRate(amounts: readonly Amount[]): number {
  return Math.max(0, ...amounts.map(({ tokens, usd }) => (usd === null || tokens === 0 ? 0 : usd / tokens)));
}

function standing(limit: number | null, spent: number, unit: keyof BudgetLimits): readonly EventBody[] {
  if (limit === null) return [];
  return [{ type: 'budget', spent, left: Math.max(0, limit - spent), unit }];
}

export function budgetOfRun({ settings, price }: Pick<RunInput, 'settings' | 'price'>): OwnBudget {
  return createBudget(budgetLimits(settings), price);
}

export function budgetLimits(
  settings: Pick<RunInput['settings'], 'budget_usd' | 'budget_tokens' | 'budget_calls'>,
): BudgetLimits {
  return { usd: settings.budget_usd, tokens: settings.budget_tokens, calls: settings.budget_calls };
}
