import { expect, test } from 'vitest';
import {
  called,
  ended,
  eventStream,
  said,
  started,
  used,
} from '../../test/fixtures/screens/event-streams.ts';
import type { EventBody } from '../events/collab-event.ts';
import type { StreamingEvent } from './streaming-event.ts';
import { pingEvent } from './streaming-frame.ts';
import { createStreamingProjection } from './streaming-projection.ts';

/** The run that the specification draws, up to the ping and after it. */
const before: readonly EventBody[] = [
  started({ session_id: 'session-uuid-from-sdk', model: 'claude-sonnet-4-20250514', tools: ['Read'] }),
  { type: 'turn.started' },
  { type: 'state', state: 'thinking' },
  { type: 'thinking.delta', block_id: 't', text: 'ユーザーの要求を分析しています...' },
  { type: 'thinking.end', block_id: 't' },
  ...said('こんにちは！お手伝いします。', { block: 'b1', size: 100 }),
  called('tool-use-uuid', 'Read', { file_path: '/path/to/file.py' }),
  { type: 'tool.status', call_id: 'tool-use-uuid', status: 'running', message: '' },
];
const after: readonly EventBody[] = [
  { type: 'tool.status', call_id: 'tool-use-uuid', status: 'completed', message: '' },
  {
    type: 'tool.result',
    call_id: 'tool-use-uuid',
    name: 'Read',
    content: 'ファイルの内容プレビュー...',
    is_error: false,
    duration_ms: 3,
  },
  ...said('完了しました。', { block: 'b2', size: 100 }),
  used(1000, 500, 0.0075),
  { type: 'turn.ended', stop_reason: 'end_turn', usage: null },
  { type: 'title', title: '生成されたタイトル' },
  ended(5230),
];

test('R002-27 R002-28 R002-25 streams the drawn flow: seq 1 to 14, and a ping of seq 0 after the eighth', () => {
  const run = eventStream([...before, ...after]);
  const projection = createStreamingProjection({
    modelName: (model) => (model === 'claude-sonnet-4-20250514' ? 'Claude Sonnet 4' : model),
    contextLength: () => 200_000,
  });
  const first = run.slice(0, before.length).flatMap((event) => projection.push(event));
  const second = run.slice(before.length).flatMap((event) => projection.push(event));
  const stream = [...first, pingEvent('2026-11-21T09:30:15.000000Z', 15_000), ...second];

  expect(stream.map(drawn)).toEqual([
    'init 1',
    'progress 2 thinking',
    'thinking 3',
    'progress 4 generating',
    'assistant 5',
    'progress 6 tool pending',
    'tool_call 7',
    'progress 8 tool running',
    'ping 0',
    'progress 9 tool completed',
    'tool_result 10',
    'assistant 11',
    'title 12',
    'context_status 13',
    'done 14',
  ]);
  expect(stream).toMatchSnapshot();
});

function drawn({ event, data }: StreamingEvent): string {
  const progress = event === 'progress' ? [data.type, data.tool_status ?? []].flat() : [];
  return [event, data.seq, ...progress].join(' ');
}
