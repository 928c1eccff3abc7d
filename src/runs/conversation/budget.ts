/** The budget for the answers of a whole conversation, earlier days included; its runs have budgets of their own. */
import type { CollabEvent, EventBody } from '../../events/collab-event.ts';
import type { TokenPrice } from '../../providers/contract/contract.ts';
import type { Model, ModelMessage } from '../../providers/contract/model.ts';
import { createBudget, type BudgetLimits, type OwnBudget } from '../calls/budget.ts';

export interface ConversationBudgetOptions {
  readonly limits: BudgetLimits;
  readonly price: TokenPrice | null;
  /** All events of the conversation so far. */
  readonly past: readonly CollabEvent[];
  /** Hint for a spent budget; default: how to continue in `collab chat`. */
  readonly whatToDo?: (flag: string) => string;
}

export function createConversationBudget({
  limits,
  price,
  past,
  whatToDo = (flag) => `continue with a larger one: collab chat --resume ${flag} <n>`,
}: ConversationBudgetOptions): OwnBudget {
  const budget = createBudget(limits, price, whatToDo);
  budget.count(past.filter((event) => event.type === 'usage'));
  return budget;
}

/** Wraps a model so that each turn is a call within the budget. */
export function modelWithin(budget: OwnBudget, model: Model, emit: (event: EventBody) => void): Model {
  if (!budget.limited) return model;
  return {
    ...model,
    async turn(request) {
      const reservation = await budget.reserve(charactersIn(request));
      if (reservation.kind === 'refused') {
        const { message } = reservation;
        return { end: { kind: 'unavailable', code: 'quota', message, hint: '' }, usage: null };
      }
      let usages: Parameters<typeof reservation.settle>[0] = [];
      try {
        const reply = await model.turn(request);
        if (reply.usage !== null) usages = [reply.usage];
        return reply;
      } finally {
        for (const event of reservation.settle(usages)) emit(event);
      }
    },
  };
}

function charactersIn({ system, messages, tools }: Parameters<Model['turn']>[0]): number {
  return JSON.stringify([system, messages.map(withShortMedia), tools]).length;
}

/**
 * Characters counted for an attachment, which is 5,000 tokens: vendors count an image by its pixel size and a document
 * by its pages, never by bytes.
 */
const mostOfMedia = 20_000;

function withShortMedia(message: ModelMessage): ModelMessage {
  if (message.role === 'assistant') return message;
  const parts = message.parts.map((part) =>
    part.type === 'media' ? { ...part, data: part.data.slice(0, mostOfMedia) } : part,
  );
  return { ...message, parts };
}
