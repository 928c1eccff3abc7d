/** A vendor that falls silent: the installed server shows that it lives, and ends the turn in time. */
import { describe, test } from 'vitest';
import { everyProvider } from '../contract/providers/every-provider.ts';
import { livedWorld } from './lived-world.ts';

describe.concurrent.each(everyProvider)('$name', (fixture) => {
  // Longer than the ten seconds to the first ping.
  const world = livedWorld(fixture, { config: 'stream_limit_seconds: 12\n' });

  test('R002-20 X002-1.1-3 X002-13.1,3 its silence, before or in its answer, costs a ping and then timeout_error, which can be tried again', async ({
    expect,
  }) => {
    world().answer([{ text: 'A long answer.', hang: 'stream' }]);
    const talking = world().frames('talking');
    await world().untilRequests(1);
    world().answer([{ hang: 'headers' }]);
    for (const frames of [await world().frames('wordless'), await talking]) {
      const [first] = frames;
      expect(first?.event).toBe('init');
      const end = frames.filter(({ event }) => ['ping', 'error', 'done'].includes(event));
      expect(end.map(({ event, id }) => [event, id === null])).toEqual([
        ['ping', true],
        ['error', false],
        ['done', false],
      ]);
      expect(end.map(({ data }) => JSON.parse(data))).toMatchObject([
        { seq: 0, elapsed_ms: expect.any(Number) },
        { error_type: 'timeout_error', recoverable: true, message: expect.stringContaining('12 s') },
        { status: 'error', is_error: true },
      ]);
    }
  });
});
