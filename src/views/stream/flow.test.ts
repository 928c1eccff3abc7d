import { expect, test } from 'vitest';
import { ended, eventStream, started, used } from '../../../test/fixtures/screens/event-streams.ts';
import { drawnAfter, drawnBefore, drawnLines } from '../../../test/fixtures/streaming/drawn-flow.ts';
import type { EventBody } from '../../events/collab-event.ts';
import type { StreamingEvent } from './event.ts';
import { pingEvent } from './frame.ts';
import { createStreamingProjection } from './projection.ts';

/** The run that the specification draws, up to the ping and after it. */
const before: readonly EventBody[] = [
  started({ session_id: 'session-uuid-from-sdk', model: 'claude-sonnet-4-20250514', tools: ['Read'] }),
  ...drawnBefore,
];
const after: readonly EventBody[] = [
  ...drawnAfter,
  used(1000, 500, 0.0075),
  { type: 'turn.ended', stop_reason: 'end_turn', usage: null },
  { type: 'title', title: '生成されたタイトル' },
  ended(5230),
];

test('R002-27.1 R002-28 X002-31 streams the drawn flow: seq 1 to 14, and a ping of seq 0 after the eighth', () => {
  const run = eventStream([...before, ...after]);
  const projection = createStreamingProjection({
    modelName: (model) => (model === 'claude-sonnet-4-20250514' ? 'Claude Sonnet 4' : model),
    contextLength: () => 200_000,
  });
  const first = run.slice(0, before.length).flatMap((event) => projection.push(event));
  const second = run.slice(before.length).flatMap((event) => projection.push(event));
  const stream = [...first, pingEvent('2026-11-21T09:30:15.000000Z', 15_000), ...second];

  expect(stream.map(drawn)).toEqual(drawnLines);
  expect(stream).toMatchSnapshot();
});

function drawn({ event, data }: StreamingEvent): string {
  const progress = event === 'progress' ? [data.type, data.tool_status ?? []].flat() : [];
  return [event, data.seq, ...progress].join(' ');
}
