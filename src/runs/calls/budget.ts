/**
 * What a run may spend, in dollars, in tokens, in calls, or in several of these; one for all its calls, the lead's and the advisor's, also of those that
 * run side by side. Room is reserved before a call and what it used is settled after (DESIGN §5).
 */
import type { CollabEvent, EventBody, Usage } from '../../events/collab-event.ts';
import { addCost } from '../../events/cost.ts';
import { countTokens } from '../../events/tokens.ts';
import { callsOf } from '../../review/outcome/usage.ts';
import type { TurnOutcome } from '../../machine/exchange/read-turn.ts';
import type { TokenPrice } from '../../providers/contract/contract.ts';
import { renderCount, renderNumber } from '../../text/quantities.ts';

export interface BudgetLimits {
  /** In US dollars; null for none. */
  readonly usd: number | null;
  /** Of every kind: uncached input, cached input, output. Null for none. */
  readonly tokens: number | null;
  /** Agent calls, lost ones too. Null for none. */
  readonly calls: number | null;
}

export const noLimits: BudgetLimits = { usd: null, tokens: null, calls: null };

/** The outcome of a call that was not made. */
export type BudgetRefusal = Extract<TurnOutcome, { kind: 'refused' }>;

export interface Reservation {
  readonly kind: 'reserved';
  /** What the call used; empty where it told nothing: then it counts as it was estimated. Once. */
  settle(usages: readonly Usage[]): readonly EventBody[];
}

export interface Budget {
  readonly limited: boolean;
  /** Takes in what former drives of the run spent. */
  recall(events: readonly CollabEvent[]): void;
  /** Takes in what was used elsewhere: each is one call. */
  count(usages: readonly Usage[]): void;
  /** Waits while a call is under way that may tell the first price. */
  reserve(promptCharacters: number): Promise<Reservation | BudgetRefusal>;
}

/** What the answer to a prompt is taken to need, before it is known. */
export const outputAllowanceTokens = 4000;

/**
 * `price` is what a call is taken to ask. Where it is not known before the first call has told one, one call at a time is begun
 * until then, while anything is left.
 */
export function createBudget(
  limits: BudgetLimits,
  price: TokenPrice | null = null,
  whatToDo: (flag: BudgetFlag) => string = startAgain,
): Budget {
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
        settle(usages) {
          if (!reserved.delete(amount)) return [];
          spent.push(usages.length === 0 ? amount : amountOf(usages));
          for (const go of waiting.splice(0)) go();
          return standings();
        },
      };
    },
  };

  function isPriceUnknown(): boolean {
    return price === null && dearestRate(spent) === 0;
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
    if (usd !== null && (sumUsd(wanted) > usd || sumUsd(taken) >= usd)) {
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
  /** Null where it is unknown. */
  readonly usd: number | null;
  /** What it comes to by the price that was known before. */
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

/** What told no price is taken at the price that was expected, or at the highest price of a token that was told, if that is more. */
function sumUsd(amounts: readonly Amount[]): number {
  const dearest = dearestRate(amounts);
  return amounts.reduce(
    (sum, { tokens, usd, expectedUsd }) => sum + (usd ?? Math.max(expectedUsd, tokens * dearest)),
    0,
  );
}

/** In dollars for a token; 0 where no price was told. */
function dearestRate(amounts: readonly Amount[]): number {
  return Math.max(0, ...amounts.map(({ tokens, usd }) => (usd === null || tokens === 0 ? 0 : usd / tokens)));
}

function standing(limit: number | null, spent: number, unit: keyof BudgetLimits): readonly EventBody[] {
  if (limit === null) return [];
  return [{ type: 'budget', spent, left: Math.max(0, limit - spent), unit }];
}
