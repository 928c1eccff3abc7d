/** The questions of a run: asked once, answered from the journal, by somebody here, or by another process. */
import { z } from 'zod';
import { CollabError } from '../errors/collab-error.ts';
import type { EventBody } from '../events/collab-event.ts';
import type { Answerer, GivenAnswer } from './drive-options.ts';
import type { Question } from './engine-port.ts';
import type { RunMemory } from './run-memory.ts';

export interface PendingQuestionsOptions {
  readonly memory: RunMemory;
  readonly answerer: Answerer | undefined;
  readonly signal: AbortSignal;
  readonly write: (body: EventBody) => void;
  readonly fail: (error: unknown) => void;
}

export class PendingQuestions {
  readonly #options: PendingQuestionsOptions;
  /** By name: takes a fitting answer, or throws. */
  readonly #waiting = new Map<string, (value: unknown) => () => void>();

  constructor(options: PendingQuestionsOptions) {
    this.#options = options;
  }

  ask<Value>(name: string, question: Question<Value>): Promise<Value> {
    const { memory, write } = this.#options;
    const known = memory.questions.get(name);
    if (known !== undefined && known.answered !== null) {
      return Promise.resolve(question.parse(known.answered.value));
    }
    if (known === undefined) write(askedBody(name, question));
    return new Promise((resolve) => {
      this.#waiting.set(name, (value) => {
        const parsed = question.parse(value);
        return () => resolve(parsed);
      });
      this.#askSomebodyHere(name, question);
    });
  }

  /** @throws CollabError `input` where nobody asks that, or the value does not fit */
  answer(name: string, { value, by }: GivenAnswer): void {
    const take = this.#waiting.get(name);
    if (take === undefined) throw new CollabError('input', `The run does not wait for an answer to ${name}`);
    const resolve = fitting(name, () => take(value));
    this.#options.write({ type: 'question.answered', name, by, value: z.json().parse(value) });
    this.#waiting.delete(name);
    resolve();
  }

  waiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** A question that nobody here will answer; null where there is none. */
  unanswerable(): string | null {
    if (this.#options.answerer !== undefined) return null;
    return this.#waiting.keys().next().value ?? null;
  }

  #askSomebodyHere(name: string, question: Question<unknown>): void {
    const { answerer, signal, fail } = this.#options;
    if (answerer === undefined) return;
    answerer({ name, question, signal })
      .then((given) => this.#waiting.has(name) && this.answer(name, given))
      .catch(fail);
  }
}

function askedBody(name: string, { kind, text, schema }: Question<unknown>): EventBody {
  return { type: 'question.asked', name, kind, text, schema: z.json().parse(schema) };
}

function fitting<Value>(name: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (cause) {
    throw new CollabError('input', `The answer to ${name} does not fit what was asked`, { cause });
  }
}
