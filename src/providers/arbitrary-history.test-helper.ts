/** Histories that grew by random messages, edits and switches; `fc.sample(arbitraryHistory(), 3)` shows some. */
import * as fc from 'fast-check';
import { emptyHistory, getConversationThread, type ConversationHistory } from './history/history.ts';
import { appendMessage, editMessage, switchBranch, type NewMessage } from './history/history-edit.ts';

export type HistoryStep =
  | { readonly kind: 'user' | 'assistant' | 'system'; readonly content: string }
  | { readonly kind: 'calls'; readonly content: string; readonly count: number; readonly aborted: boolean }
  | { readonly kind: 'result'; readonly pick: number; readonly failed: boolean }
  | { readonly kind: 'edit' | 'switch'; readonly pick: number; readonly content: string }
  | { readonly kind: 'clock'; readonly back: boolean };

const content = fc.oneof(fc.constantFrom('', ' ', 'hello', 'world\n'), fc.string({ maxLength: 12 }));
const pick = fc.nat(1000);

export const arbitrarySteps: fc.Arbitrary<readonly HistoryStep[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constantFrom('user' as const, 'assistant' as const), content }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('system' as const), content }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('calls' as const),
        content,
        count: fc.integer({ min: 1, max: 3 }),
        aborted: fc.boolean(),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('result' as const), pick, failed: fc.boolean() }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('edit' as const, 'switch' as const), pick, content }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('clock' as const), back: fc.boolean() }) },
  ),
  { maxLength: 25 },
);

export function arbitraryHistory(): fc.Arbitrary<ConversationHistory> {
  return arbitrarySteps.map((steps) => historiesOf(steps).at(-1) ?? newHistory());
}

/** The history after each step. */
export function historiesOf(steps: readonly HistoryStep[]): readonly ConversationHistory[] {
  let time = Date.UTC(2026, 0, 1);
  let history = newHistory();
  return steps.map((step, index) => {
    time += step.kind === 'clock' && step.back ? -5000 : 1000;
    history = perform(history, step, { index, now: new Date(time).toISOString() });
    return history;
  });
}

export function newHistory(): ConversationHistory {
  return emptyHistory({
    conversationId: 'conversation-1',
    title: 'A talk',
    model: 'model-1',
    platform: 'echo',
    now: '2026-01-01T00:00:00.000Z',
  });
}

interface Place {
  readonly index: number;
  readonly now: string;
}

function perform(
  history: ConversationHistory,
  step: HistoryStep,
  { index, now }: Place,
): ConversationHistory {
  const moment = { id: `msg_${index}`, now };
  const add = (message: NewMessage): ConversationHistory => appendMessage(history, message, moment);
  const chosen = 'pick' in step ? pickFrom(Object.keys(history.messages), step.pick) : undefined;
  switch (step.kind) {
    case 'user':
    case 'assistant':
    case 'system':
      return add({ role: step.kind, content: step.content });
    case 'calls':
      return add({
        role: 'assistant',
        content: step.content,
        tool_calls: Array.from({ length: step.count }, (_, call) => ({
          tool_call_id: `call_${index}_${call}`,
          function_name: 'look',
          arguments: { index, call },
        })),
        ...(step.aborted ? { status: 'aborted' as const } : {}),
      });
    case 'result': {
      const open = pickFrom(openCalls(history), step.pick);
      return open === undefined
        ? history
        : add({ role: 'tool', content: 'seen', tool_call_id: open, is_error: step.failed });
    }
    case 'edit':
      return chosen === undefined
        ? history
        : editMessage(history, chosen, { content: step.content }, { ...moment, rootId: `msg_root_${index}` });
    case 'switch':
      return chosen === undefined ? history : switchBranch(history, chosen);
    case 'clock':
      return history;
  }
}

/** The calls of the last assistant that its thread does not answer yet. */
function openCalls(history: ConversationHistory): readonly string[] {
  const thread = getConversationThread(history);
  const asked = thread.findLastIndex(({ role }) => role !== 'tool');
  const answered = new Set(thread.slice(asked + 1).map(({ tool_call_id }) => tool_call_id));
  return (thread[asked]?.tool_calls ?? [])
    .map(({ tool_call_id }) => tool_call_id)
    .filter((id) => !answered.has(id));
}

function pickFrom<Value>(values: readonly Value[], number: number): Value | undefined {
  return values.length === 0 ? undefined : values[number % values.length];
}
