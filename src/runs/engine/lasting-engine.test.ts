import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import type { DatabaseEngine } from './database-engine.ts';
import { openLastingEngine } from './lasting-engine.ts';

test('each new fault that keeps an engine from being opened again is reported once', async () => {
  const away = new CollabError('network', 'The database is out of reach');
  const [password, newer] = ['wrong password', 'newer tables'].map((text) => new CollabError('config', text));
  const clock = createManualClock();
  const lost = new AbortController();
  const [first, second] = [engineOf(lost.signal), engineOf(new AbortController().signal)];
  const openings = [first, away, password, password, away, newer, password, second];
  const news: unknown[] = [];
  const engine = await openLastingEngine('postgres://host/collab', {
    clock,
    env: {},
    onNews: (one) => news.push(one),
    onFault: (error) => news.push(error),
    async open() {
      const opened = openings.shift();
      if (opened === undefined || opened instanceof CollabError) throw opened;
      return opened;
    },
  });
  lost.abort();
  await clock.advance(0);
  await clock.advance(6000);
  expect(news).toEqual(['lost', password, newer, 'back']);
  expect(engine.store).toBe(second.store);
  await engine.close();
});

function engineOf(lost: AbortSignal): DatabaseEngine {
  const engine = { store: { lost }, close: () => Promise.resolve() };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that a lasting engine uses
  return engine as unknown as DatabaseEngine;
}
