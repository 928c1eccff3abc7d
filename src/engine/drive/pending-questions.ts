/** The questions of a run: asked once, answered from the journal, by an answerer here, or by another process. */
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import type { EventBody } from '../../events/collab-event.ts';
import type { QuestionAnswerer, AnswerFromOutside } from './perform-options.ts';
import type { Question } from '../port.ts';
import type { Ledger } from './record-writer.ts';
import { refuseAfterTheEnd } from './steps.ts';

export interface PendingQuestionsOptions {
  readonly ledger: Ledger;
  readonly answerer: QuestionAnswerer | undefined;
  readonly signal: AbortSignal;
  readonly onFault: (error: unknown) => void;
}

export class PendingQuestions {
  readonly #options: PendingQuestionsOptions;
  /** Waiting questions by name; each function accepts a fitting answer, or throws. */
  readonly #waiting = new Map<string, (value: unknown) => () => void>();

  constructor(options: PendingQuestionsOptions) {
    this.#options = options;
  }

  async ask<Value>(name: string, question: Question<Value>): Promise<Value> {
    const { ledger } = this.#options;
    const known = ledger.memory.questions.get(name);
    if (known !== undefined && known.answered !== null) return question.parse(known.answered.value);
    this.#refuseAfterTheEnd(name);
    if (known === undefined) ledger.write([ledger.draft(askedBody(name, question))]);
    return new Promise((resolve) => {
      this.#waiting.set(name, (value) => {
        const parsed = question.parse(value);
        return () => resolve(parsed);
      });
      this.#askSomebodyHere(name, question);
    });
  }

  /**
   * Returns false if the run has left, so that the answer is not recorded.
   * @throws CollabError `input` when no question has that name, or the value does not fit
   */
  answer(name: string, { value, by }: AnswerFromOutside): boolean {
    const take = this.#waiting.get(name);
    if (take === undefined) throw new CollabError('input', `The run does not wait for an answer to ${name}`);
    const resolve = fitting(name, () => take(value));
    const { ledger } = this.#options;
    const answered = { type: 'question.answered', name, by, value: z.json().parse(value) } as const;
    if (!ledger.write([ledger.draft(answered)])) return false;
    this.#waiting.delete(name);
    ledger.whenDurable(resolve);
    return true;
  }

  waiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Returns a question that cannot be answered here; null if there is none. */
  unanswerable(): string | null {
    if (this.#options.answerer !== undefined) return null;
    return this.#waiting.keys().next().value ?? null;
  }

  #refuseAfterTheEnd(name: string): void {
    try {
      refuseAfterTheEnd(this.#options.ledger, name);
    } catch (error) {
      this.#options.onFault(error);
      throw error;
    }
  }

  #askSomebodyHere(name: string, question: Question<unknown>): void {
    const { answerer, signal, onFault } = this.#options;
    if (answerer === undefined) return;
    answerer({ name, question, signal })
      .then((given) => this.#waiting.has(name) && this.answer(name, given))
      .catch(onFault);
  }
}

function askedBody(name: string, { kind, text, schema }: Question<unknown>): EventBody {
  return { type: 'question.asked', name, kind, text, schema: z.json().parse(schema) };
}

function fitting<Value>(name: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (cause) {
    throw new CollabError('input', `The answer to ${name} does not match the question`, { cause });
  }
}
