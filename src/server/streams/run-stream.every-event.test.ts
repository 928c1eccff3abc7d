/** Each of the thirteen events of the specification, from a real socket. */
import { expect, test } from 'vitest';
import { streamedEvent } from '../../client/streamed-event.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { streamingEventNames } from '../../views/stream/event.ts';
import { isPingEvent } from '../../views/stream/guards.ts';
import { assertLawful } from '../../views/stream/laws.test-helper.ts';
import { drawnTurn, untilRunning } from '../drawn-turn.test-helper.ts';
import { serveRuns, type Turn } from '../served.test-helper.ts';

test('R002-37 every event type comes through a socket, and the laws hold on each stream', async () => {
  const clock = createManualClock();
  const { turn, release } = drawnTurn();
  const projection = { contextLength: () => 200_000 };
  const served = await serveRuns({ clock, turns: [withSubAgent(turn), failing], projection });

  const stream = await served.post('first', 'hello');
  await untilRunning(stream);
  await clock.advance(10_000);
  await stream.until('ping');
  release();
  const whole = (await stream.whole).map(streamedEvent);
  const failed = (await (await served.post('second', 'hello')).whole).map(streamedEvent);

  expect(namesOf(whole)).toEqual(namesOf(streamingEventNames.filter((name) => name !== 'error').map(named)));
  expect(failed.at(-2)).toMatchObject({
    event: 'error',
    data: { message: '実行中にエラーが発生しました: the model is overloaded' },
  });
  expect(namesOf([...whole, ...failed])).toEqual(streamingEventNames.toSorted());
  for (const events of [whole, failed]) assertLawful(events.filter((event) => !isPingEvent(event)));
});

/** Another agent starts and ends before the text. */
function withSubAgent(turn: Turn): Turn {
  return (question) =>
    turn({
      ...question,
      emit(event) {
        question.emit(event);
        if (event.type !== 'thinking.end') return;
        question.emit({
          type: 'agent.started',
          agent_id: 'agent-1',
          agent_type: 'explorer',
          description: 'Looks.',
        });
        question.emit({ type: 'agent.ended', agent_id: 'agent-1', status: 'completed', preview: 'Seen.' });
      },
    });
}

const failing: Turn = async ({ emit }) => {
  emit({ type: 'turn.started' });
  return { kind: 'failed', message: 'the model is overloaded', hint: null };
};

function namesOf(events: readonly { readonly event: string }[]): readonly string[] {
  return [...new Set(events.map(({ event }) => event))].toSorted();
}

function named(event: string) {
  return { event };
}
