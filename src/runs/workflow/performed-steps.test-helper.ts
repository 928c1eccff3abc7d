/** A run whose steps are performed at once, and whose questions get one answer. */
import type { Question, RunContext } from '../../engine/port.ts';

export interface PerformedSteps {
  readonly context: RunContext;
  /** The name and the input of each step, and what it returned beside its value. */
  readonly steps: unknown[][];
  readonly emitted: unknown[][];
  readonly asked: Question<unknown>[];
  /** The names of the child contexts. */
  readonly named: string[];
}

type Perform = (attempt: object) => Promise<Record<string, unknown>>;

/** `answer`: that of each question, if it fits. */
export function performSteps(answer = ''): PerformedSteps {
  const [steps, emitted, asked, named]: [unknown[][], unknown[][], Question<unknown>[], string[]] = [
    [],
    [],
    [],
    [],
  ];
  const attempt = { emit: (...event: unknown[]) => emitted.push(event) };
  const context = {
    child(name: string, body: (scope: unknown) => Promise<unknown>) {
      named.push(name);
      return body(context);
    },
    async receive(_name: string, question: Question<unknown>) {
      asked.push(question);
      return question.parse(answer);
    },
    async step(name: string, input: unknown, perform: Perform) {
      const { value, ...beside } = await perform(attempt);
      steps.push([name, input, beside]);
      return value;
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the methods that the steps of a workflow call
  return { context: context as unknown as RunContext, steps, emitted, asked, named };
}
