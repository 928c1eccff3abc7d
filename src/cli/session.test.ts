import { expect, onTestFinished, test, vi } from 'vitest';
import { createManualClock } from '../system/manual-clock.test-helper.ts';
import { createSession } from './session.ts';

test('the first Ctrl-C, even if it arrives twice, shuts down; a later one exits immediately', async () => {
  const clock = createManualClock();
  const session = createSession(clock);
  onTestFinished(() => session.close());
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exited');
  });
  onTestFinished(() => exit.mockRestore());
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGINT', 'SIGINT');
  expect([session.signal.aborted, session.endedBy(), exit.mock.calls]).toEqual([true, 'SIGINT', []]);
  await clock.advance(1001);
  expect(() => process.emit('SIGINT', 'SIGINT')).toThrow('exited');
  expect(exit.mock.calls).toEqual([[130]]);
});
