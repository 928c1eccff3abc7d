/** Splits a whole answer into the pieces of a stream, so that there is one way to read both. */
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Response, ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';

export function chunkOf({ choices, ...completion }: ChatCompletion): ChatCompletionChunk {
  return {
    ...completion,
    object: 'chat.completion.chunk',
    choices: choices.map(({ message: { tool_calls = [], function_call: _former, ...said }, ...choice }) => ({
      ...choice,
      delta: {
        ...said,
        tool_calls: tool_calls.flatMap((call, index) =>
          call.type === 'function' ? [{ ...call, index }] : [],
        ),
      },
    })),
  };
}

export function eventsOf(response: Response): readonly ResponseStreamEvent[] {
  let sequence_number = 0;
  const place = (output_index: number) => ({ sequence_number: sequence_number++, output_index });
  return [
    { type: 'response.created', sequence_number: sequence_number++, response },
    ...(response.output ?? []).flatMap((item, index) => [
      ...saidIn(item, () => place(index)),
      { type: 'response.output_item.done' as const, ...place(index), item },
    ]),
    { type: endOf(response), sequence_number, response },
  ];
}

type Place = () => { readonly sequence_number: number; readonly output_index: number };

function saidIn(item: ResponseOutputItem, place: Place): readonly ResponseStreamEvent[] {
  const item_id = item.id ?? '';
  switch (item.type) {
    case 'message':
      return item.content.flatMap((part, content_index): readonly ResponseStreamEvent[] =>
        part.type === 'output_text'
          ? [
              {
                type: 'response.output_text.delta',
                ...place(),
                item_id,
                content_index,
                delta: part.text,
                logprobs: [],
              },
            ]
          : [],
      );
    case 'reasoning':
      return item.summary.map(({ text }, summary_index) => ({
        type: 'response.reasoning_summary_text.delta',
        ...place(),
        item_id,
        summary_index,
        delta: text,
      }));
    default:
      return [];
  }
}

function endOf({ status }: Response) {
  if (status === 'failed') return 'response.failed';
  return status === 'incomplete' ? 'response.incomplete' : 'response.completed';
}
