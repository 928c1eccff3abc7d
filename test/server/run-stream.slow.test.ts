/** `/run`, streamed: the pair goes through its phases, and each exchange is a sub-agent of the stream. */
import { expect, test } from 'vitest';
import { createFrameReader } from '../../src/client/read-frames.ts';
import { streamedEvent } from '../../src/client/streamed-event.test-helper.ts';
import { isPingEvent } from '../../src/views/stream/guards.ts';
import { assertLawful } from '../../src/views/stream/laws.test-helper.ts';
import { straightWay } from '../contract/workflow/workflow-script.ts';
import { serveWorld } from './served-folder.ts';

test('X002-18.4 the exchanges of a /run are sub-agents called Codex, and its stream is lawful', async () => {
  const { say, faults } = await serveWorld({ turns: straightWay });
  const text = await say('/run Write one --yes');
  const events = createFrameReader().feed(Buffer.from(text)).map(streamedEvent);
  const exchanges = events.flatMap((event) =>
    event.event === 'subagent_start' ? [[event.data.agent_type, event.data.description]] : [],
  );
  expect(exchanges).toEqual([
    ['Codex', 'The requirements of `src/one.js`.'],
    ['Codex', 'The design of `src/one.js`.'],
    ['Codex', expect.stringContaining('The review of `src/one.js`.')],
  ]);
  expect(events.at(-1)).toMatchObject({ event: 'done', data: { status: 'success' } });
  assertLawful(events.filter((event) => !isPingEvent(event)));
  expect(faults).toEqual([]);
});
